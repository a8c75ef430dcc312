/**
 * Matrices of tests: every state in every language, theme, width and look. `npm test` runs a sample of them, and
 * `npm run test:all` (TEST_MATRIX=full) runs all.
 */
export const IS_FULL = process.env['TEST_MATRIX'] === 'full';

/**
 * Whether script is on, for stories in a browser that run with and without it. Without it, the forms are those that the tests of
 * `flows` submit over HTTP, so `npm test` runs each story once, one way or the other.
 */
export const scriptOnAndOff = (sampled: boolean): readonly boolean[] => (IS_FULL ? [true, false] : [sampled]);

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
