/**
 * Matrices of tests: every state in every language, theme, width and look. `npm test` runs a sample of them, and
 * `npm run test:all` (TEST_MATRIX=full) runs all.
 */
import { createHash } from 'node:crypto';

export const IS_FULL = process.env['TEST_MATRIX'] === 'full';

/**
 * Whether script is on, for stories in a browser that run with and without it. Without it, the forms are those that the tests of
 * `flows` submit over HTTP, so `npm test` runs each story once, one way or the other.
 */
export const scriptOnAndOff = (sampled: boolean): readonly boolean[] => (IS_FULL ? [true, false] : [sampled]);

/**
 * About half of the states, for states that only a browser can show; the full matrix has all. The hash of the name decides, so that a new
 * state does not exchange the others.
 */
export const selectHalf = <State extends { name: string }>(states: readonly State[]): readonly State[] =>
  IS_FULL ? states : states.filter(({ name }) => (createHash('sha256').update(name).digest()[0] ?? 0) % 2 === 0);

type Axes = Readonly<Record<string, readonly unknown[]>>;
type Combination<A extends Axes> = { [Name in keyof A]: A[Name][number] };

/**
 * Combines the n-th state with the n-th combination of the axes, modulo their number; in the full matrix, every state with every combination.
 * Each state and each combination occurs at least once, so there must be at least as many states as combinations.
 */
export function matrix<State extends object, const A extends Axes>(
  states: readonly State[],
  axes: A,
  isFull = IS_FULL,
): (State & Combination<A>)[] {
  const combinations = toCombinations(axes);
  if (states.length < combinations.length)
    throw new Error(`${states.length} states do not show ${combinations.length} combinations.`);
  if (isFull) return states.flatMap((state) => combinations.map((combination) => ({ ...state, ...combination })));
  return states.map((state, n) => ({ ...state, ...(combinations[n % combinations.length] as Combination<A>) }));
}

function toCombinations<A extends Axes>(axes: A): Combination<A>[] {
  const begun: Record<string, unknown>[] = [{}];
  return Object.entries(axes).reduce(
    (all, [name, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    begun,
  ) as Combination<A>[];
}

const TAG = /<([a-z][\w-]*)((?:\s+[^\s=<>"]+(?:="[^"]*")?)*)\s*\/?>/g;
const ATTRIBUTE = /\s([^\s=<>"]+)(?:="([^"]*)")?/g;
/** The attributes whose values decide which rules of axe apply, and how an element is drawn. */
const KIND_ATTRIBUTES = ['class', 'role', 'type'];

/**
 * Chooses a sample of documents: those with a kind of element that no earlier document of the same group had. A kind is a tag, the
 * names of its attributes, and the values of `class`, `role` and `type`; where in the document it is, does not matter. The full matrix has
 * every document.
 */
export class NewElementKinds {
  readonly #kinds = new Set<string>();

  /** @param markup as `innerHTML` or the server serialises it @param group documents that are compared with each other, for example those in the same theme */
  isIn(markup: string, group: string): boolean {
    const countBefore = this.#kinds.size;
    for (const [, tag, attributes = ''] of markup.matchAll(TAG)) {
      const kind = [...attributes.matchAll(ATTRIBUTE)].map(([, name = '', value]) =>
        KIND_ATTRIBUTES.includes(name) ? `${name}=${value}` : name,
      );
      this.#kinds.add([group, tag, ...kind.toSorted()].join(' '));
    }
    return IS_FULL || this.#kinds.size > countBefore;
  }
}
