/** The token hook and people of user sources: the source is asked again when what it said is too old (docs/token-hook.md). */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomToken } from '../../src/config/keys.js';
import type { Config } from '../../src/config/config.js';
import type { FoundPerson, PersonKey } from '../../src/sources/user-source.port.js';
import { FakeUserSource, type FakePerson } from '../../src/sources/fake-user-source.js';
import { UserSources } from '../../src/sources/user-sources.js';
import { hookBody, type HookToken } from '../support/hook-body.js';
import { callHook } from '../support/hook-calls.js';
import { PASSWORD } from '../support/gateway.js';
import { startTestOperator, type OperatorAnswer, type TestOperator } from '../support/operator.js';

const KEY = randomToken();
const FRESHNESS_SECONDS = 900;
const GROUPS = { scope: 'groups', claim: 'groups', attribute: 'groups', tokens: ['access_token'] } as const;
const ISSUER = 'https://id.example';

/** A source whose answers wait until a test lets them go. */
class GatedSource extends FakeUserSource {
  gate: Promise<void> = Promise.resolve();

  override async find(key: PersonKey): Promise<FoundPerson | null> {
    const found = super.find(key);
    await this.gate;
    return found;
  }
}

let operator: TestOperator;
let staff: GatedSource;
let names = 0;

const startOperator = (source: FakeUserSource, change: Partial<TestOperator> & { whenDown?: 'refuse' } = {}) =>
  startTestOperator({
    config: ({ consent }): Partial<Config> => ({
      tokenHook: { keys: [KEY] },
      sourceChecks: { freshnessSeconds: FRESHNESS_SECONDS, whenDown: change.whenDown ?? 'last-known' },
      consent: { ...consent, claims: [...consent.claims, GROUPS] },
    }),
    foundation: ({ log }) => ({ sources: new UserSources([source], log) }),
    ...(change.database ? { database: change.database } : {}),
  });

beforeAll(async () => {
  staff = new GatedSource('staff');
  operator = await startOperator(staff);
});
beforeEach(() => {
  staff.calls.splice(0);
  staff.isDown = false;
  staff.gate = Promise.resolve();
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => operator.close());

async function enter(more: Partial<FakePerson> = {}): Promise<{ person: FakePerson; subject: string }> {
  const username = `berta.${(names += 1)}`;
  const fields = {
    subject: `id-of-${username}`,
    username,
    emailVerified: false,
    isActive: true,
    attributes: {},
    password: PASSWORD,
  };
  const person = { ...fields, groups: ['purchase'], ...more };
  staff.people.push(person);
  const { password: _, ...described } = person;
  const entered = await operator.services.sourceAccounts.createOrUpdate({
    ...{ source: 'staff', person: { ...described, names: [username] }, auditContext: { actor: 'system' } },
  });
  if (!('account' in entered)) throw new Error(entered.reason);
  staff.calls.splice(0);
  return { person, subject: entered.account.id };
}

const secondsAgo = (seconds: number): Date => new Date(operator.clock.now().getTime() - seconds * 1000);
const OLD = 7 * 86_400;

/** A refresh of somebody who has signed in long ago. */
const ask = (subject: string, more: Partial<HookToken> = {}, at = operator): Promise<OperatorAnswer> =>
  callHook(at, KEY, hookBody({ subject, scopes: ['openid', 'groups'], authorizedAt: secondsAgo(OLD), ...more }));
const toGroups = ({ json }: OperatorAnswer): unknown => (json as { session: { access_token: object } }).session.access_token;
const toBrief = (answer: OperatorAnswer): unknown => (answer.status === 200 ? toGroups(answer) : answer.status);
const listEvents = async (kind: string): Promise<unknown[]> =>
  ((await operator.call('GET', `/audit?kind=${kind}`)).json['entries'] as { detail: unknown }[]).map(({ detail }) => detail);
/** New values also make the names of a person be looked up. */
const countQuestions = (): number => staff.calls.filter((call) => call === 'describe').length;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const removePerson = (person: FakePerson): void => void staff.people.splice(staff.people.indexOf(person), 1);

describe('a person of a source', () => {
  it('is not asked for while the sign-in or the last answer is fresh, which costs one statement', async () => {
    const { person, subject } = await enter();
    person.groups = ['board'];
    const run = jest.spyOn(operator.database, 'run');
    const fresh = { authenticatedAt: secondsAgo(FRESHNESS_SECONDS - 60) };
    expect(toBrief(await ask(subject, fresh))).toEqual({ groups: ['purchase'] });
    expect([staff.calls, run.mock.calls.length]).toEqual([[], 1]);
    expect(toBrief(await ask(subject))).toEqual({ groups: ['board'] });
    expect(countQuestions()).toBe(1);
    person.groups = ['sales'];
    run.mockClear();
    expect(toBrief(await ask(subject))).toEqual({ groups: ['board'] });
    expect([countQuestions(), run.mock.calls.length]).toEqual([1, 1]);
    operator.clock.advanceSeconds(FRESHNESS_SECONDS + 1);
    expect(toBrief(await ask(subject))).toEqual({ groups: ['sales'] });
  });

  it('is asked for although the clock of Hydra is far ahead', async () => {
    const { person, subject } = await enter();
    removePerson(person);
    expect(toBrief(await ask(subject, { authenticatedAt: secondsAgo(-3600) }))).toBe(403);
  });

  it.each(['gone', 'disabled'] as const)('who is %s there gets no token, and loses all access here', async (reason) => {
    const { person, subject } = await enter();
    const session = { browser: randomToken(), acr: 'x', amr: ['pwd'], lifetimeSeconds: 3600 };
    await operator.services.sessions.begin({ accountId: subject, upstreamSessionId: `sid-${subject}`, ...session });
    if (reason === 'gone') removePerson(person);
    else person.isActive = false;
    expect(toBrief(await ask(subject, { sid: `sid-${subject}` }))).toBe(403);
    expect(await operator.services.sessions.findByUpstreamSession(`sid-${subject}`, subject)).toBeNull();
    const jobs = operator.database.db.selectFrom('revocation_job').select('kind').where('account_id', '=', subject);
    expect(await jobs.execute()).toEqual([{ kind: 'everything' }]);
    expect(await listEvents('source.refused')).toContainEqual({ source: 'staff', reason });
    // Further refreshes of other apps need no question.
    staff.calls.splice(0);
    expect([toBrief(await ask(subject, { clientId: 'other' })), staff.calls]).toEqual([403, []]);
    // Back at the source, the person signs in again and gets tokens; the old ones stay void.
    if (reason === 'gone') staff.people.push(person);
    else person.isActive = true;
    operator.clock.advanceSeconds(2);
    expect([toBrief(await ask(subject, { authorizedAt: secondsAgo(0) })), toBrief(await ask(subject))]).toEqual([
      { groups: ['purchase'] },
      403,
    ]);
  });

  it('is asked for at a code as well, if the session is an old one', async () => {
    const { person, subject } = await enter();
    removePerson(person);
    const code = { grantType: 'authorization_code', authorizedAt: secondsAgo(0), authenticatedAt: secondsAgo(OLD) };
    expect(toBrief(await ask(subject, code))).toBe(403);
  });

  it('of a provider is not asked for, because a provider describes people only when they sign in', async () => {
    const { subject } = await enter();
    await operator.database.db.updateTable('source_account').set({ source: ISSUER }).where('account_id', '=', subject).execute();
    expect([toBrief(await ask(subject)), staff.calls]).toEqual([{ groups: ['purchase'] }, []]);
  });
});

describe('one question at a time', () => {
  it('answers a hundred refreshes of one person', async () => {
    const { person, subject } = await enter();
    person.groups = ['board'];
    const run = jest.spyOn(operator.database, 'run');
    const listRuns = (name: string) => run.mock.results.filter((_, index) => run.mock.calls[index]?.[0].name === name);
    let open: () => void = () => undefined;
    staff.gate = new Promise((resolve) => (open = resolve));
    const asked = Array.from({ length: 100 }, () => ask(subject));
    while (listRuns('token-owner.find').length < 100) await nextTurn();
    await Promise.all(listRuns('token-owner.find').map(({ value }) => value));
    await nextTurn();
    open();
    const answers = await Promise.all(asked);
    expect(new Set(answers.map((answer) => JSON.stringify(toBrief(answer))))).toEqual(new Set(['{"groups":["board"]}']));
    expect(countQuestions()).toBe(1);
    // Within one gateway nobody waits by reading the database.
    expect(listRuns('source-check.state')).toEqual([]);
  });

  it('answers the refreshes at another gateway too', async () => {
    const { person, subject } = await enter();
    const elsewhere = new GatedSource('staff');
    const other = await startOperator(elsewhere, { database: operator.database });
    try {
      let open: () => void = () => undefined;
      staff.gate = new Promise((resolve) => (open = resolve));
      person.groups = ['board'];
      const first = ask(subject);
      while (staff.calls.length === 0) await nextTurn();
      const waiting = ask(subject, {}, other);
      open();
      expect([toBrief(await first), toBrief(await waiting)]).toEqual([{ groups: ['board'] }, { groups: ['board'] }]);
      expect(elsewhere.calls).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it('of a gateway that was killed is asked again by another one after its time', async () => {
    const { person, subject } = await enter();
    const until = new Date(operator.clock.now().getTime() + 15_000);
    const rows = operator.database.db.updateTable('source_account').where('account_id', '=', subject);
    await rows.set({ checking_until: until }).execute();
    operator.clock.advanceSeconds(16);
    person.groups = ['board'];
    expect(toBrief(await ask(subject))).toEqual({ groups: ['board'] });
  });
});

describe('a source that does not answer', () => {
  it('leaves what was last known, with one event, and is asked again at the next refresh', async () => {
    const { person, subject } = await enter();
    person.groups = ['board'];
    staff.isDown = true;
    const before = (await listEvents('source.unavailable')).length;
    for (const _ of [1, 2]) expect(toBrief(await ask(subject))).toEqual({ groups: ['purchase'] });
    const events = await listEvents('source.unavailable');
    expect([events.length - before, events[0]]).toEqual([1, { source: 'staff' }]);
    staff.isDown = false;
    expect(toBrief(await ask(subject))).toEqual({ groups: ['board'] });
  });

  it('refuses where the setting wants an answer, so that the app may try again', async () => {
    const strict = await startOperator(staff, { database: operator.database, whenDown: 'refuse' });
    try {
      const { subject } = await enter();
      staff.isDown = true;
      expect(toBrief(await ask(subject, {}, strict))).toBe(424);
      staff.isDown = false;
      expect(toBrief(await ask(subject, {}, strict))).toEqual({ groups: ['purchase'] });
    } finally {
      await strict.close();
    }
  });

  it('that hangs is waited for at most five seconds', async () => {
    const { subject } = await enter();
    staff.gate = new Promise(() => undefined);
    const start = globalThis.setTimeout;
    const waits: unknown[] = [];
    const shorten = (work: () => void, ms?: number): NodeJS.Timeout => {
      waits.push(ms);
      return start(work, ms === 5000 ? 0 : ms);
    };
    const spy = jest.spyOn(globalThis, 'setTimeout').mockImplementation(shorten);
    expect(toBrief(await ask(subject))).toEqual({ groups: ['purchase'] });
    spy.mockRestore();
    expect(waits).toContain(5000);
  });
});
