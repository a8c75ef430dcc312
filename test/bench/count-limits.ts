/**
 * The limits for the counts of a sign-in; the benchmark fails if one is exceeded. A change that needs less lowers the number here.
 * Times are not limited, because they depend on the machine.
 */
import { GATEWAY_STEPS, type GatewayStep, type WalkKind } from './login-walk.js';
import type { Part } from './page-weight.js';
import type { StepCount, StepCounts } from './step-counts.js';

/** The largest number of statements and calls that each request to the gateway may make. */
const STEP_LIMITS: Record<GatewayStep, { statements: number; calls: number }> = {
  loginPage: { statements: 1, calls: 1 },
  // A sign-in in a new browser, which is announced by mail. A known browser needs 7 statements.
  login: { statements: 14, calls: 1 },
  consentPage: { statements: 1, calls: 1 },
  consent: { statements: 2, calls: 2 },
  skippedConsent: { statements: 2, calls: 2 },
};
/** The login page with all files that it loads, compressed, without headers. */
export const MAX_BYTES = 96_000;
export const MAX_REQUESTS = 6;

export interface CountsAndWeight {
  counts: StepCounts;
  weight: readonly Part[];
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** @returns the limits of all requests of a sign-in together */
export function sumLimits(kind: WalkKind): { statements: number; calls: number } {
  const limits = GATEWAY_STEPS[kind].map((step) => STEP_LIMITS[step]);
  return { statements: sum(limits.map(({ statements }) => statements)), calls: sum(limits.map(({ calls }) => calls)) };
}

/** @returns a sentence for each limit that is exceeded */
export function findExcess({ counts, weight }: CountsAndWeight): string[] {
  const bytes = sum(weight.map(({ wireBytes }) => wireBytes));
  return [
    ...(Object.keys(counts) as WalkKind[]).flatMap((kind) => counts[kind].flatMap((count) => findExcessOfStep(kind, count))),
    ...(bytes > MAX_BYTES ? [`The login page has ${bytes} bytes; ${MAX_BYTES} are allowed.`] : []),
    ...(weight.length > MAX_REQUESTS ? [`The login page needs ${weight.length} requests; ${MAX_REQUESTS} are allowed.`] : []),
  ];
}

function findExcessOfStep(kind: WalkKind, { step, statements, calls }: StepCount): string[] {
  const describeExcess = (subject: string, names: readonly string[], limit: number): string[] =>
    names.length > limit ? [`${kind}, ${step}: ${names.length} ${subject}, ${limit} are allowed (${names.join(', ')}).`] : [];
  return [
    ...describeExcess('statements', statements, STEP_LIMITS[step].statements),
    ...describeExcess('calls to Hydra', calls, STEP_LIMITS[step].calls),
  ];
}
