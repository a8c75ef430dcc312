/**
 * What a sign-in may cost at most, in what can be counted; beyond it the bench fails. A change that needs less lowers the
 * number here. Times are never limited: they belong to the machine.
 */
import type { WalkKind } from './login-walk.js';
import type { Part } from './page-weight.js';
import type { StepCount, StepCounts } from './step-counts.js';

/** Per request to the gateway, in the order of the walk: statements, calls to Hydra. */
const MOST: Record<WalkKind, readonly (readonly [statements: number, calls: number])[]> = {
  consent: [
    [1, 1],
    [3, 1],
    [1, 1],
    [2, 2],
  ],
  skipConsent: [
    [1, 1],
    [3, 1],
    [2, 2],
  ],
};
/** The login page with all that it loads, compressed, without headers. */
export const MOST_BYTES = 96_000;
export const MOST_REQUESTS = 6;

export interface Counted {
  counts: StepCounts;
  weight: readonly Part[];
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** @returns a sentence for each limit that is exceeded */
export function exceeded({ counts, weight }: Counted): string[] {
  const bytes = sum(weight.map(({ wireBytes }) => wireBytes));
  return [
    ...(Object.keys(MOST) as WalkKind[]).flatMap((kind) =>
      counts[kind].flatMap((count, index) => exceededBy(kind, count, MOST[kind][index] ?? [0, 0])),
    ),
    ...(bytes > MOST_BYTES ? [`The login page has ${bytes} bytes; ${MOST_BYTES} are allowed.`] : []),
    ...(weight.length > MOST_REQUESTS ? [`The login page needs ${weight.length} requests; ${MOST_REQUESTS} are allowed.`] : []),
  ];
}

function exceededBy(
  kind: WalkKind,
  { step, statements, calls }: StepCount,
  [most, mostCalls]: readonly [number, number],
): string[] {
  const over = (what: string, names: readonly string[], limit: number): string[] =>
    names.length > limit ? [`${kind}, ${step}: ${names.length} ${what}, ${limit} are allowed (${names.join(', ')}).`] : [];
  return [...over('statements', statements, most), ...over('calls to Hydra', calls, mostCalls)];
}
