/** A session of a person of a user source: the source is asked again before the session signs somebody in (docs/token-hook.md). */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { SourceChecks } from '../../src/accounts/identities/source-checks.js';
import { BrowserSessions } from '../../src/accounts/sessions/browser-sessions.js';
import type { Config } from '../../src/config/config.js';
import { PATHS } from '../../src/contract/paths.js';
import { FakeUserSource, type FakePerson } from '../../src/sources/fake-user-source.js';
import { PASSWORD, startTestGateway, type InProcessGateway, type TestGatewayOptions } from '../support/gateway.js';
import { signInBrowser, type SignedIn } from '../support/signed-in-browser.js';
import type { TestPage } from '../support/test-browser.js';

const FRESHNESS_SECONDS = 900;
const ISSUER = 'https://id.example';

let gateway: InProcessGateway;
let staff: FakeUserSource;
let count = 0;

const start = (whenDown: 'last-known' | 'refuse', more: TestGatewayOptions = {}) =>
  startTestGateway({
    sources: [staff],
    config: (): Partial<Config> => ({ sourceChecks: { freshnessSeconds: FRESHNESS_SECONDS, whenDown } }),
    ...more,
  });

beforeAll(async () => {
  staff = new FakeUserSource('staff');
  gateway = await start('last-known');
});
beforeEach(() => void (staff.isDown = false));
afterEach(() => void jest.restoreAllMocks());
afterAll(() => gateway.close());

interface Signed extends SignedIn {
  person: FakePerson;
  subject: string;
}

/** A person of the source who has signed in some time ago. */
async function signIn(secondsAgo = FRESHNESS_SECONDS + 1): Promise<Signed> {
  const username = `berta.${(count += 1)}`;
  const fields = { subject: `id-of-${username}`, username, emailVerified: false, isActive: true, attributes: {} };
  const person: FakePerson = { ...fields, groups: ['purchase'], password: PASSWORD };
  staff.people.push(person);
  const signedIn = await signInBrowser(gateway, { username });
  const account = await gateway.get(Accounts).findByUsername(username);
  gateway.clock.advanceSeconds(secondsAgo);
  staff.calls.splice(0);
  return { ...signedIn, person, subject: account?.id ?? '' };
}

const removePerson = (person: FakePerson): void => void staff.people.splice(staff.people.indexOf(person), 1);
const countQuestions = (): number => staff.calls.filter((call) => call === 'describe').length;
const listRefusals = async (subject: string): Promise<unknown[]> => {
  const { entries } = await gateway.get(AuditLog).search({ kinds: ['source.refused'] });
  return entries.flatMap(({ accountId, detail }) => (accountId === subject ? [detail] : []));
};

/** An app asks for a sign-in, and Hydra has the session. */
function request({ browser, sessionId, subject }: Omit<Signed, 'person'>, parameters = {}, at = gateway): Promise<TestPage> {
  const challenge = `session-${(count += 1)}`;
  at.hydra.addLogin({ challenge, subject, sessionId, skip: true, requestUrl: at.hydra.requestUrl(parameters) });
  return browser.get(`${PATHS.login}?login_challenge=${challenge}`);
}

/** `form`: the request starts again and asks for a sign-in. */
function toBrief({ location }: TestPage, at = gateway): unknown {
  if (location?.includes('login_verifier=')) {
    const call = at.hydra.calls.at(-1);
    return call?.call === 'rejectLogin' ? call.rejection.code : 'signed in';
  }
  return location !== null && new URL(location).searchParams.get('prompt') === 'login' ? 'form' : location;
}

describe('the session of a person of a source', () => {
  it('signs in without a question while the sign-in or the last answer is fresh, and as cheaply as that of a local account', async () => {
    const local = await gateway.account('karl.kaiser');
    const localSession = { ...(await signInBrowser(gateway, { username: 'karl.kaiser' })), subject: local.id };
    const sourceSession = await signIn(FRESHNESS_SECONDS - 60);
    const run = jest.spyOn(gateway.database, 'run');
    const listStatements = async (who: Omit<Signed, 'person'>): Promise<string[]> => {
      run.mockClear();
      expect(toBrief(await request(who))).toBe('signed in');
      return run.mock.calls.map(([{ name }]) => name);
    };
    const statements = await listStatements(localSession);
    expect(statements).toHaveLength(3);
    expect([await listStatements(sourceSession), staff.calls]).toEqual([statements, []]);
    gateway.clock.advanceSeconds(61);
    sourceSession.person.groups = ['board'];
    expect([toBrief(await request(sourceSession)), countQuestions()]).toEqual(['signed in', 1]);
    expect((await gateway.get(Accounts).find(sourceSession.subject))?.groups).toEqual(['board']);
    gateway.clock.advanceSeconds(FRESHNESS_SECONDS - 60);
    expect([await listStatements(sourceSession), await listStatements(localSession), countQuestions()]).toEqual([
      statements,
      statements,
      1,
    ]);
  });

  it.each(['gone', 'disabled'] as const)('who is %s there signs nobody in, and ends with all access', async (reason) => {
    const signedIn = await signIn();
    const { person, subject, sessionId } = signedIn;
    if (reason === 'gone') removePerson(person);
    else person.isActive = false;
    expect(toBrief(await request(signedIn))).toBe('form');
    expect(await gateway.get(BrowserSessions).findByUpstreamSession(sessionId, subject)).toBeNull();
    expect(await listRefusals(subject)).toEqual([{ source: 'staff', reason }]);
    const jobs = gateway.database.db.selectFrom('revocation_job').select('kind').where('account_id', '=', subject);
    expect(await jobs.execute()).toEqual([{ kind: 'everything' }]);
    // The account stays, and the source decides at the next sign-in.
    if (reason === 'gone') staff.people.push(person);
    else person.isActive = true;
    await signInBrowser(gateway, { username: person.username });
  });

  it('who is gone there is "login_required" for a request that wants no page', async () => {
    const signedIn = await signIn();
    removePerson(signedIn.person);
    expect(toBrief(await request(signedIn, { prompt: 'none' }))).toBe('login_required');
  });

  it('who is gone there is not asked "is it you?"', async () => {
    const signedIn = await signIn();
    removePerson(signedIn.person);
    expect(toBrief(await request(signedIn, { prompt: 'select_account' }))).toBe('form');
  });

  it('asks nobody in another browser, nor where the person has to prove themselves anyway', async () => {
    const signedIn = await signIn();
    expect(toBrief(await request({ ...signedIn, browser: gateway.browser() }))).not.toBe('signed in');
    expect(toBrief(await request({ ...signedIn }, { prompt: 'login' }))).not.toBe('signed in');
    expect(staff.calls).toEqual([]);
  });

  it('of a provider asks nobody, because a provider describes people only when they sign in', async () => {
    const signedIn = await signIn();
    const rows = gateway.database.db.updateTable('source_account').where('account_id', '=', signedIn.subject);
    await rows.set({ source: ISSUER }).execute();
    const check = jest.spyOn(gateway.get(SourceChecks), 'check');
    expect([toBrief(await request(signedIn)), check.mock.calls]).toEqual(['signed in', []]);
  });

  it('ends where another gateway has asked meanwhile, and learned that the person has left', async () => {
    const signedIn = await signIn();
    removePerson(signedIn.person);
    const checks = gateway.get(SourceChecks);
    const elsewhere = checks.check.bind(checks);
    jest.spyOn(checks, 'check').mockImplementation(async (...asked) => {
      await elsewhere(...asked);
      return 'current';
    });
    expect(toBrief(await request(signedIn))).toBe('form');
  });
});

describe('a source that does not answer', () => {
  it('leaves the session, and is asked again at the next sign-in', async () => {
    const signedIn = await signIn();
    removePerson(signedIn.person);
    staff.isDown = true;
    expect(toBrief(await request(signedIn))).toBe('signed in');
    expect(toBrief(await request(signedIn, { prompt: 'none' }))).toBe('signed in');
    staff.isDown = false;
    expect(toBrief(await request(signedIn))).toBe('form');
  });

  it('lets nobody in where the setting wants an answer, and the session stays', async () => {
    gateway = await start('refuse', { earlier: gateway });
    const signedIn = await signIn();
    staff.isDown = true;
    expect(toBrief(await request(signedIn))).toBe('form');
    expect(toBrief(await request(signedIn, { prompt: 'none' }))).toBe('login_required');
    staff.isDown = false;
    expect(toBrief(await request(signedIn))).toBe('signed in');
  });
});
