/**
 * What a sign-in may cost at most, in what can be counted; beyond it the bench fails. A change that needs less lowers the
 * number here. Times are never limited: they belong to the machine.
 */
import type { GatewayStep, WalkKind } from './login-walk.js';
import type { Part } from './page-weight.js';
import type { StepCount, StepCounts } from './step-counts.js';

/** The largest number of statements and calls that each request to the gateway may make. */
const MOST: Record<GatewayStep, { statements: number; calls: number }> = {
  loginPage: { statements: 1, calls: 1 },
  // A new browser of an account that knows others, whose owner is told by mail; a known one needs 7.
  login: { statements: 14, calls: 1 },
  consentPage: { statements: 1, calls: 1 },
  consent: { statements: 2, calls: 2 },
  skippedConsent: { statements: 2, calls: 2 },
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
export function findExcess({ counts, weight }: Counted): string[] {
  const bytes = sum(weight.map(({ wireBytes }) => wireBytes));
  return [
    ...(Object.keys(counts) as WalkKind[]).flatMap((kind) => counts[kind].flatMap((count) => findExcessOfStep(kind, count))),
    ...(bytes > MOST_BYTES ? [`The login page has ${bytes} bytes; ${MOST_BYTES} are allowed.`] : []),
    ...(weight.length > MOST_REQUESTS ? [`The login page needs ${weight.length} requests; ${MOST_REQUESTS} are allowed.`] : []),
  ];
}

function findExcessOfStep(kind: WalkKind, { step, statements, calls }: StepCount): string[] {
  const describeExcess = (what: string, names: readonly string[], limit: number): string[] =>
    names.length > limit ? [`${kind}, ${step}: ${names.length} ${what}, ${limit} are allowed (${names.join(', ')}).`] : [];
  return [
    ...describeExcess('statements', statements, MOST[step].statements),
    ...describeExcess('calls to Hydra', calls, MOST[step].calls),
  ];
}
