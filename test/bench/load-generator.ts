/** The process that generates the load. It is separate from the gateway, so that the CPU time of the gateway does not include it. */
import { ManageWalk } from './manage-walk.js';
import { BrowserClient, getAgent } from './browser-client.js';
import { walkForms } from './form-walk.js';
import { LoginWalk, type GatewayStep, type Person, type Routes, type WalkKind } from './login-walk.js';
import { redeemCode } from './token-exchange.js';
import { answerQuestions } from './worker.js';

export interface Plan {
  routes: Routes;
  people: readonly Omit<Person, 'address'>[];
  concurrency: number;
  /** The ports of the gateways that share the load, beginning with the one in the routes. */
  spread?: readonly number[];
}

/** A call with the newest token, with the previous token again, or without a token. */
export type ManageCallKind = 'rotating' | 'repeated' | 'refused';

export interface HookCalls {
  count: number;
  url: string;
  key: string;
  /** What Hydra sends, for several people in turn. */
  bodies: readonly string[];
}

export interface Pace {
  count: number;
  seconds: number;
  /** The median duration. */
  medianMs: number;
  p95Ms: number;
}

/** Documentation addresses (RFC 5737), so that the limits per address see many people. */
const buildAddress = (index: number): string => `203.0.113.${1 + (index % 250)}`;

export function generateLoad(): void {
  let plan: Plan;
  let walks: LoginWalk[] = [];
  let manageWalks: ManageWalk[] = [];
  let created = 0;
  const takePerson = (): Person => {
    const index = created++;
    const person = plan.people[index % plan.people.length];
    if (!person) throw new Error('There is nobody to sign in.');
    return { ...person, address: buildAddress(index) };
  };
  const createWalk = (kind: WalkKind = 'consent'): LoginWalk =>
    new LoginWalk(plan.routes[kind], takePerson(), getAgent(plan.concurrency, plan.spread));
  const createManageWalk = async (): Promise<ManageWalk> =>
    new ManageWalk(plan.routes.consent, takePerson(), getAgent(plan.concurrency)).open(await createWalk().complete());
  answerQuestions({
    plan: (given: Plan) => void (plan = given),
    completeLogins: ({ count, kind }: { count: number; kind: WalkKind }) =>
      measurePace({ count, concurrency: plan.concurrency }, () => createWalk(kind).complete()),
    // Until the app has its tokens.
    completeSignIns: ({ count, kind }: { count: number; kind: WalkKind }) =>
      measurePace({ count, concurrency: plan.concurrency }, async () => {
        const code = await createWalk(kind).complete();
        await redeemCode(new BrowserClient(getAgent(plan.concurrency), buildAddress(0)), plan.routes[kind], code);
      }),
    // The same at another login server.
    peerSignIns: (count: number) =>
      measurePace({ count, concurrency: plan.concurrency }, async () => {
        const route = plan.routes.skipConsent;
        const code = await walkForms(route, takePerson(), getAgent(plan.concurrency));
        await redeemCode(new BrowserClient(getAgent(plan.concurrency), buildAddress(0)), route, code);
      }),
    begin: async (count: number): Promise<string[]> => {
      walks = Array.from({ length: count }, () => createWalk());
      await measurePace({ count, concurrency: plan.concurrency }, (index) => getItem(walks, index).begin());
      return walks.map(({ url }) => url);
    },
    requestGateway: (step: GatewayStep) =>
      measurePace({ count: walks.length, concurrency: plan.concurrency }, (index) => getItem(walks, index).requestGateway(step)),
    followUpstream: (step: GatewayStep) =>
      measurePace({ count: walks.length, concurrency: plan.concurrency }, (index) => getItem(walks, index).followUpstream(step)),
    openManageWalks: async () => {
      manageWalks = await Promise.all(Array.from({ length: plan.concurrency }, createManageWalk));
    },
    // One call at a time for each session, as the pages send them.
    manageCalls: ({ count, kind }: { count: number; kind: ManageCallKind }) =>
      measurePace({ count, concurrency: manageWalks.length }, (_, lane) => toCall(getItem(manageWalks, lane), kind)),
    // As Hydra calls at a refresh, over connections that stay open.
    hookCalls: (wanted: HookCalls) => callHook(wanted, plan.concurrency),
    pages: (wanted: { urls: string[]; connections: number }) => loadPages(wanted),
  });
}

/** Loads each page in a new browser with a separate challenge, because a challenge belongs to the browser that opens it. */
function loadPages({ urls, connections }: { urls: string[]; connections: number }): Promise<Pace> {
  const targets = urls.map((url) => new URL(url));
  const agent = getAgent(connections);
  return measurePace({ count: targets.length, concurrency: connections }, async (index) => {
    const { status } = await new BrowserClient(agent, buildAddress(index)).get(getItem(targets, index));
    if (status !== 200) throw new Error(`The login page answers ${status}.`);
  });
}

function callHook({ count, url, key, bodies }: HookCalls, concurrency: number): Promise<Pace> {
  const client = new BrowserClient(getAgent(concurrency), '127.0.0.1');
  return measurePace({ count, concurrency }, async (index) => {
    const headers = { 'X-Foyer-Hook-Key': key };
    const { status } = await client.postJson(new URL(url), getItem(bodies, index % bodies.length), headers);
    if (status !== 200) throw new Error(`The token hook answers ${status}.`);
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
  if (found === undefined) throw new RangeError(`The list of ${list.length} has no item ${index}.`);
  return found;
}
