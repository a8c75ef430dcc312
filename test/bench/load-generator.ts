/** The process that makes the load, apart from the gateway, so that the gateway's CPU is the gateway's. */
import { ManageWalk } from './manage-walk.js';
import { BrowserClient, agentFor } from './browser-client.js';
import { walkForms } from './form-walk.js';
import { LoginWalk, type GatewayStep, type Person, type Routes, type WalkKind } from './login-walk.js';
import { redeemCode } from './token-exchange.js';
import { answerQuestions } from './worker.js';

export interface Plan {
  routes: Routes;
  people: readonly Omit<Person, 'address'>[];
  concurrency: number;
}

/** A call with the newest token, with the previous token again, and without any. */
export type ManageCallKind = 'rotating' | 'repeated' | 'refused';

export interface Pace {
  count: number;
  seconds: number;
  /** Half of them took no longer. */
  medianMs: number;
  p95Ms: number;
}

/** Documentation addresses (RFC 5737), so that the limits per address see many people. */
const buildAddress = (index: number): string => `203.0.113.${1 + (index % 250)}`;

export function generateLoad(): void {
  let plan: Plan;
  let walks: LoginWalk[] = [];
  let manageWalks: ManageWalk[] = [];
  let made = 0;
  const nextPerson = (): Person => {
    const index = made++;
    const person = plan.people[index % plan.people.length];
    if (!person) throw new Error('There is nobody to sign in.');
    return { ...person, address: buildAddress(index) };
  };
  const newWalk = (kind: WalkKind = 'consent'): LoginWalk =>
    new LoginWalk(plan.routes[kind], nextPerson(), agentFor(plan.concurrency));
  const newManageWalk = async (): Promise<ManageWalk> =>
    new ManageWalk(plan.routes.consent, nextPerson(), agentFor(plan.concurrency)).open(await newWalk().whole());
  answerQuestions({
    plan: (given: Plan) => void (plan = given),
    wholeLogins: ({ count, kind }: { count: number; kind: WalkKind }) =>
      measurePace({ count, concurrency: plan.concurrency }, () => newWalk(kind).whole()),
    // To the token, as the app gets it.
    wholeSignIns: ({ count, kind }: { count: number; kind: WalkKind }) =>
      measurePace({ count, concurrency: plan.concurrency }, async () => {
        const code = await newWalk(kind).whole();
        await redeemCode(new BrowserClient(agentFor(plan.concurrency), buildAddress(0)), plan.routes[kind], code);
      }),
    // The same at another login server.
    peerSignIns: (count: number) =>
      measurePace({ count, concurrency: plan.concurrency }, async () => {
        const route = plan.routes.skipConsent;
        const code = await walkForms(route, nextPerson(), agentFor(plan.concurrency));
        await redeemCode(new BrowserClient(agentFor(plan.concurrency), buildAddress(0)), route, code);
      }),
    setOut: async (count: number): Promise<string[]> => {
      walks = Array.from({ length: count }, () => newWalk());
      await measurePace({ count, concurrency: plan.concurrency }, (index) => getItem(walks, index).setOut());
      return walks.map(({ url }) => url);
    },
    ask: (step: GatewayStep) =>
      measurePace({ count: walks.length, concurrency: plan.concurrency }, (index) => getItem(walks, index).ask(step)),
    goOn: (step: GatewayStep) =>
      measurePace({ count: walks.length, concurrency: plan.concurrency }, (index) => getItem(walks, index).goOn(step)),
    openManageWalks: async () => {
      manageWalks = await Promise.all(Array.from({ length: plan.concurrency }, newManageWalk));
    },
    // One call at a time in each area, as its page makes them.
    manageCalls: ({ count, kind }: { count: number; kind: ManageCallKind }) =>
      measurePace({ count, concurrency: manageWalks.length }, (_, lane) => toCall(getItem(manageWalks, lane), kind)),
    pages: (wanted: { urls: string[]; connections: number }) => firstLoads(wanted),
  });
}

/** Pages as a new browser asks for them, each with a challenge of its own: a challenge belongs to the browser that opens it. */
function firstLoads({ urls, connections }: { urls: string[]; connections: number }): Promise<Pace> {
  const targets = urls.map((url) => new URL(url));
  const agent = agentFor(connections);
  return measurePace({ count: targets.length, concurrency: connections }, async (index) => {
    const { status } = await new BrowserClient(agent, buildAddress(index)).get(getItem(targets, index));
    if (status !== 200) throw new Error(`The login page answers ${status}.`);
  });
}

async function measurePace(
  { count, concurrency }: { count: number; concurrency: number },
  work: (index: number, lane: number) => Promise<unknown>,
): Promise<Pace> {
  const times: number[] = [];
  const begin = performance.now();
  let next = 0;
  const workInLane = async (_: unknown, lane: number): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const startMs = performance.now();
      await work(index, lane);
      times.push(performance.now() - startMs);
    }
  };
  await Promise.all(Array.from({ length: concurrency }).map(workInLane));
  const seconds = (performance.now() - begin) / 1000;
  times.sort((one, other) => one - other);
  const quantile = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return { count, seconds, medianMs: quantile(0.5), p95Ms: quantile(0.95) };
}

function toCall(walk: ManageWalk, kind: ManageCallKind): Promise<void> {
  return kind === 'refused' ? walk.callWithoutToken() : walk.call(kind === 'rotating');
}

function getItem<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new RangeError(`There is no ${index} of ${list.length}.`);
  return found;
}
