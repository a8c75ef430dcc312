/**
 * Counts the statements and the calls to Hydra of each request of a sign-in, from the spans of the gateway. Every request has a trace
 * id of the benchmark, so that work of the workers does not count. `begin` and `commit` count as statements, because each is a round
 * trip to the database.
 */
import { randomBytes } from 'node:crypto';
import { startOtlpCollector, type ReceivedSpan } from '../support/otlp-collector.js';
import { getAgent } from './browser-client.js';
import type { Installation } from './installation.js';
import { GATEWAY_STEPS, LoginWalk, type GatewayStep, type WalkKind } from './login-walk.js';

export interface StepCount {
  step: GatewayStep;
  /** Names of the statements, or their first words. */
  statements: string[];
  /** Method and path. */
  calls: string[];
}

export type StepCounts = Record<WalkKind, StepCount[]>;

/** The first walk fills the caches of the gateway and does not count. */
const WALKS = 3;

/** A request of a walk, with its trace id. */
interface TracedStep {
  kind: WalkKind;
  step: GatewayStep;
  id: string;
}

/** Starts a separate gateway with telemetry; no other gateway of the installation may run. */
export async function countSteps(installation: Installation): Promise<StepCounts> {
  const collector = await startOtlpCollector();
  try {
    await installation.startGateway({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
    const traced: TracedStep[] = [];
    for (let index = 0; index < WALKS; index++) {
      const walks = [
        ...(await traceWalk(installation, 'consent', index)),
        ...(await traceWalk(installation, 'skipConsent', index)),
      ];
      if (index > 0) traced.push(...walks);
    }
    // Before the gateway ends, it sends the remaining spans.
    await installation.stopGateways();
    return toCounts(collector.spans(), traced);
  } finally {
    await collector.close();
  }
}

async function traceWalk(installation: Installation, kind: WalkKind, index: number): Promise<TracedStep[]> {
  const person = installation.people[index];
  if (!person) throw new Error('There is nobody to sign in.');
  const walk = new LoginWalk(installation.routes[kind], { ...person, address: `198.51.100.${index + 1}` }, getAgent(1));
  await walk.begin();
  const traced: TracedStep[] = [];
  for (const step of GATEWAY_STEPS[kind]) {
    const id = randomBytes(16).toString('hex');
    await walk.requestTraced(step, `00-${id}-${randomBytes(8).toString('hex')}-01`);
    await walk.followUpstream(step);
    traced.push({ kind, step, id });
  }
  return traced;
}

/** @returns for each step the counts of the walk with the largest counts */
function toCounts(spans: readonly ReceivedSpan[], traced: readonly TracedStep[]): StepCounts {
  const toCount = ({ id, step }: TracedStep): StepCount => {
    const own = spans.filter(({ traceId }) => traceId === id);
    if (own.length === 0) throw new Error(`The collector has received no span of the step ${step}.`);
    const findNames = (attribute: string): string[] =>
      own.filter(({ attributes }) => attribute in attributes).map(({ name }) => name);
    return { step, statements: findNames('db.system.name'), calls: findNames('foyer.peer') };
  };
  const size = ({ statements, calls }: StepCount): number => statements.length + calls.length;
  const findLargest = (kind: WalkKind, step: GatewayStep): StepCount =>
    traced
      .filter((one) => one.kind === kind && one.step === step)
      .map(toCount)
      .reduce((one, other) => (size(other) > size(one) ? other : one));
  const toSteps = (kind: WalkKind): StepCount[] => GATEWAY_STEPS[kind].map((step) => findLargest(kind, step));
  return { consent: toSteps('consent'), skipConsent: toSteps('skipConsent') };
}
