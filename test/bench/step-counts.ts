/**
 * Statements and calls to Hydra of each request of a sign-in, as the gateway's own spans tell them. Every request carries a
 * trace id of the bench, so that what workers do meanwhile does not count. `begin` and `commit` are statements too: each is
 * a round trip to the database.
 */
import { randomBytes } from 'node:crypto';
import { startOtlpCollector, type ReceivedSpan } from '../support/otlp-collector.js';
import { agentFor } from './browser-client.js';
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

/** The first of them fills what the gateway keeps between requests. */
const WALKS = 3;

/** A request of a walk, with the trace id that the bench gave it. */
interface Traced {
  kind: WalkKind;
  step: GatewayStep;
  id: string;
}

/** Starts a gateway of its own, with telemetry; no other may run. */
export async function countSteps(installation: Installation): Promise<StepCounts> {
  const collector = await startOtlpCollector();
  try {
    await installation.startGateway({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
    const traced: Traced[] = [];
    for (let index = 0; index < WALKS; index++) {
      const walks = [
        ...(await traceWalk(installation, 'consent', index)),
        ...(await traceWalk(installation, 'skipConsent', index)),
      ];
      if (index > 0) traced.push(...walks);
    }
    // It sends what is left.
    await installation.stopGateway();
    return toCounts(collector.spans(), traced);
  } finally {
    await collector.close();
  }
}

async function traceWalk(installation: Installation, kind: WalkKind, index: number): Promise<Traced[]> {
  const person = installation.people[index];
  if (!person) throw new Error('There is nobody to sign in.');
  const walk = new LoginWalk(installation.routes[kind], { ...person, address: `198.51.100.${index + 1}` }, agentFor(1));
  await walk.setOut();
  const traced: Traced[] = [];
  for (const step of GATEWAY_STEPS[kind]) {
    const id = randomBytes(16).toString('hex');
    await walk.askTraced(step, `00-${id}-${randomBytes(8).toString('hex')}-01`);
    await walk.goOn(step);
    traced.push({ kind, step, id });
  }
  return traced;
}

/** @returns the counts of the walk that has the most */
function toCounts(spans: readonly ReceivedSpan[], traced: readonly Traced[]): StepCounts {
  const toCount = ({ id, step }: Traced): StepCount => {
    const own = spans.filter(({ traceId }) => traceId === id);
    if (own.length === 0) throw new Error(`No span of ${step} has arrived.`);
    const findNames = (attribute: string): string[] =>
      own.filter(({ attributes }) => attribute in attributes).map(({ name }) => name);
    return { step, statements: findNames('db.system.name'), calls: findNames('foyer.peer') };
  };
  const size = ({ statements, calls }: StepCount): number => statements.length + calls.length;
  const most = (kind: WalkKind, step: GatewayStep): StepCount =>
    traced
      .filter((one) => one.kind === kind && one.step === step)
      .map(toCount)
      .reduce((one, other) => (size(other) > size(one) ? other : one));
  const toSteps = (kind: WalkKind): StepCount[] => GATEWAY_STEPS[kind].map((step) => most(kind, step));
  return { consent: toSteps('consent'), skipConsent: toSteps('skipConsent') };
}
