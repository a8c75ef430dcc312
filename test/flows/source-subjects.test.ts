/** `"sub": "source"`: apps know a person by the id at the source, in every call in which Foyer sends a subject to Hydra or reads one. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { DeleteAccount } from '../../src/accounts/changes/delete-account.js';
import { BrowserSessions } from '../../src/accounts/sessions/browser-sessions.js';
import type { SourceSettings } from '../../src/config/source-settings.js';
import { PATHS } from '../../src/contract/paths.js';
import { HydraPort } from '../../src/hydra/hydra.port.js';
import { RevocationRunner } from '../../src/hydra/revocation-runner.js';
import { FakeUserSource } from '../../src/sources/fake-user-source.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { startTestOperator } from '../support/operator.js';
import type { TestBrowser, TestPage } from '../support/test-browser.js';

const UUID = '5f0c9a7e-2d41-4b6e-9a55-0d6a2f1c7b83';
const BY = { actor: 'operator', requestId: 'test' } as const;

let gateway: TestGateway;
let staff: FakeUserSource;
let other: FakeUserSource;
let count = 0;

beforeAll(async () => {
  staff = new FakeUserSource('staff');
  other = new FakeUserSource('other');
  const settings = [{ id: 'staff', subjectPrefix: '' }, { id: 'other' }] as unknown as SourceSettings[];
  gateway = await startTestGateway({ sources: [staff, other], config: () => ({ sources: settings }) });
});
afterAll(() => gateway.close());
afterEach(() => {
  gateway.hydra.calls.length = 0;
});

function addPerson(username: string, subject: string, source = staff): void {
  const fields = { subject, username, emailVerified: false, attributes: {}, isActive: true, password: PASSWORD };
  source.people.push(fields);
}

async function signIn(
  username: string,
  browser = gateway.browser(),
): Promise<{ answer: TestPage; challenge: string; browser: TestBrowser }> {
  const challenge = `subject-${(count += 1)}`;
  gateway.hydra.addLogin({ challenge, sessionId: `session-${count}` });
  const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
  const { xsrf_token: _xsrf } = page.state('login').login;
  const answer = await browser.post(PATHS.loginNative, { _xsrf, login_challenge: challenge, username, password: PASSWORD });
  return { answer, challenge, browser };
}

const listAccepted = () =>
  gateway.hydra.calls.flatMap((call) => (call.call === 'acceptLogin' ? [call.authentication.subject] : []));

async function getAccount(username: string): Promise<Account> {
  const account = await gateway.get(Accounts).findByUsername(username);
  if (!account) throw new Error(`There is no account ${username}.`);
  return account;
}

async function enterAccount(
  username: string,
  subject: string,
): Promise<{ account: Account; browser: TestBrowser; session: string }> {
  addPerson(username, subject);
  const { browser } = await signIn(username);
  return { account: await getAccount(username), browser, session: `session-${count}` };
}

describe('[SRC-9] the subject of a person of a source', () => {
  it('is the id there, at the first sign-in and later ones', async () => {
    const { account } = await enterAccount('anna', 'emp|0815');
    await signIn('anna');
    expect(listAccepted()).toEqual(['emp|0815', 'emp|0815']);
    expect(account.id).not.toBe('emp|0815');
    expect(await gateway.get(Accounts).findSubject(account.id)).toBe('emp|0815');
    addPerson('plain', 'plain-id', other);
    await signIn('plain');
    expect(listAccepted().at(-1)).toBe((await getAccount('plain')).id);
  });

  it('is the id of the account, where it is a UUID', async () => {
    const { account } = await enterAccount('uuid.one', UUID);
    expect([account.id, listAccepted()]).toEqual([UUID, [UUID]]);
    expect(await gateway.database.db.selectFrom('account_subject').where('subject', '=', UUID).selectAll().execute()).toEqual([]);
  });

  it('[S-105] is never that of another account: a used id is refused, and nothing is taken over', async () => {
    const local = await gateway.account('local.owner');
    addPerson('claims.id', local.id);
    addPerson('claims.upper', local.id.toUpperCase());
    addPerson('claims.blank', 'has a blank');
    addPerson('claims.sign', 'ünïcode');
    for (const name of ['claims.id', 'claims.blank', 'claims.sign']) {
      expect([name, (await signIn(name)).answer.status]).toEqual([name, 403]);
      expect(await gateway.get(Accounts).findByUsername(name)).toBeNull();
    }
    // This text differs from the id, and apps and Hydra compare subjects exactly.
    await signIn('claims.upper');
    expect((await getAccount('claims.upper')).id).not.toBe(local.id);
    expect(listAccepted()).toEqual([local.id.toUpperCase()]);
    expect(await gateway.get(Accounts).find(local.id)).toEqual(local);
  });

  it('stays the same when the setting changes, also for accounts from before it', async () => {
    const settings = gateway.config.sources as unknown as { subjectPrefix?: string }[];
    delete settings[0]!.subjectPrefix;
    const { account: before } = await enterAccount('before', 'id-before');
    settings[0]!.subjectPrefix = 'later-';
    await signIn('before');
    await signIn('anna');
    addPerson('after', 'id-after');
    await signIn('after');
    expect(listAccepted()).toEqual([before.id, before.id, 'emp|0815', 'later-id-after']);
    settings[0]!.subjectPrefix = '';
  });

  it('leads to one account for two first sign-ins at the same moment', async () => {
    addPerson('at.once', 'id-at-once');
    await Promise.all([signIn('at.once'), signIn('at.once')]);
    expect(listAccepted()).toEqual(['id-at-once', 'id-at-once']);
    addPerson('uuid.once', '0d6a2f1c-2d41-4b6e-9a55-5f0c9a7e7b83');
    await Promise.all([signIn('uuid.once'), signIn('uuid.once')]);
    expect(listAccepted().slice(2)).toEqual(['0d6a2f1c-2d41-4b6e-9a55-5f0c9a7e7b83', '0d6a2f1c-2d41-4b6e-9a55-5f0c9a7e7b83']);
  });
});

describe('a request of Hydra that names such a subject', () => {
  it('[LOG-10] continues the session, and accepts the same subject again', async () => {
    const { browser, session } = await enterAccount('bea', 'id-bea');
    gateway.hydra.addLogin({ challenge: 'skip-bea', skip: true, subject: 'id-bea', sessionId: session });
    await browser.get(`${PATHS.login}?login_challenge=skip-bea`);
    expect(listAccepted()).toEqual(['id-bea', 'id-bea']);
  });

  it('[LOG-10] is not continued in another browser', async () => {
    const { session } = await enterAccount('bert', 'id-bert');
    gateway.hydra.addLogin({ challenge: 'skip-bert', skip: true, subject: 'id-bert', sessionId: session });
    await gateway.browser().get(`${PATHS.login}?login_challenge=skip-bert`);
    expect(listAccepted()).toEqual(['id-bert']);
  });

  it('shows the consent of the person, with their claims', async () => {
    const { browser, session, account } = await enterAccount('clara', 'id-clara');
    gateway.hydra.addConsent({
      challenge: 'consent-clara',
      subject: 'id-clara',
      loginSessionId: session,
      requestedScope: ['openid', 'profile'],
    });
    const page = await browser.get(`${PATHS.consent}?consent_challenge=consent-clara`);
    expect(page.state('consent').consent).toMatchObject({ account: { username: account.username } });
  });

  it('logs the person out in their own browser', async () => {
    const { browser, session, account } = await enterAccount('dora', 'id-dora');
    gateway.hydra.addLogout({ challenge: 'logout-dora', subject: 'id-dora', sessionId: session });
    const page = await browser.get(`${PATHS.logout}?logout_challenge=logout-dora`);
    const { xsrf_token: _xsrf } = page.state('logout').logout;
    await browser.post(PATHS.logoutAccept, { _xsrf, logout_challenge: 'logout-dora' });
    expect(gateway.hydra.calls).toContainEqual(expect.objectContaining({ call: 'acceptLogout', challenge: 'logout-dora' }));
    expect(await gateway.get(BrowserSessions).findByUpstreamSession(session, account.id)).toBeNull();
  });

  it('[MAN-1] opens the account area with a token, but never with one of a client with that name', async () => {
    await enterAccount('erin', 'id-erin');
    const enter = async (subject: string, clientId: string): Promise<string | null> => {
      const token = `ory_at_${subject}-${clientId}-of-the-test`;
      gateway.hydra.addToken(token, { subject, clientId });
      return (await gateway.browser().get(`${PATHS.manage}?t=${token}`)).location;
    };
    expect(await enter('id-erin', 'portal')).toBe(PATHS.manage);
    expect(await enter('id-erin', 'id-erin')).toContain('unauthorized');
    expect(await enter('nobody', 'portal')).toContain('unauthorized');
  });

  it('fills in the name of an ID token hint where it may', async () => {
    const { browser } = await enterAccount('fiona', 'id-fiona');
    gateway.hydra.addLogin({ challenge: 'hint-fiona', idTokenHint: { subject: 'id-fiona', username: 'fiona' } });
    const page = await browser.get(`${PATHS.login}?login_challenge=hint-fiona`);
    expect(page.state('login').login.username).toBe('fiona');
  });
});

describe('the end of access at Hydra', () => {
  it('comes for the subject, also of a deleted account', async () => {
    const { account } = await enterAccount('gina', 'id-gina');
    gateway.hydra.addGrantedSession('id-gina', 'granted-gina');
    await gateway.get(Accounts).setStatus(account.id, 'disabled', BY);
    await gateway.get(RevocationRunner).settle(account.id);
    const { account: gone } = await enterAccount('gone', 'id-gone');
    await gateway.get(DeleteAccount).delete(gone, BY);
    await gateway.get(RevocationRunner).settle(gone.id);
    const ended = gateway.hydra.calls.filter(({ call }) => call === 'endLoginSessions' || call === 'revokeConsents');
    expect(ended).toEqual(
      ['id-gina', 'id-gone'].flatMap((subject) => [
        { call: 'endLoginSessions', subject },
        { call: 'revokeConsents', subject },
      ]),
    );
    expect(gateway.hydra.calls).toContainEqual(expect.objectContaining({ call: 'endLoginSession', sessionId: 'granted-gina' }));
  });

  it('comes for the subject of a job that a gateway of the previous version has queued', async () => {
    const { account } = await enterAccount('hanna', 'id-hanna');
    const now = new Date(0);
    const job = { account_id: account.id, kind: 'everything' as const, session_ids: [], created_at: now, next_try_at: now };
    await gateway.database.db.insertInto('revocation_job').values(job).execute();
    await gateway.get(RevocationRunner).settle(account.id);
    expect(gateway.hydra.calls).toContainEqual({ call: 'revokeConsents', subject: 'id-hanna' });
  });
});

it('needs no statement for requests that name ids', async () => {
  const statements: string[] = [];
  const run = gateway.database.run.bind(gateway.database);
  Object.assign(gateway.database, { run: (...given: Parameters<typeof run>) => (statements.push(given[0].name), run(...given)) });
  gateway.hydra.addLogin({ challenge: 'plain', skip: true, subject: UUID });
  await gateway.get(HydraPort).getLogin('plain');
  expect(statements).toEqual([]);
  gateway.hydra.addLogin({ challenge: 'named', skip: true, subject: 'emp|0815' });
  expect(await gateway.get(HydraPort).getLogin('named')).toMatchObject({ upstreamSubject: 'emp|0815' });
  expect(statements).toEqual(['account-subject.account']);
  Object.assign(gateway.database, { run });
});

it('can be followed by the operator, who finds and sees the subject of an account', async () => {
  const operator = await startTestOperator({ database: gateway.database });
  const account = await getAccount('anna');
  for (const named of [account.id, encodeURIComponent('emp|0815')]) {
    const { json } = await operator.call('GET', `/accounts/${named}`);
    expect(json).toMatchObject({ id: account.id, subject: 'emp|0815' });
  }
  expect((await operator.call('GET', '/accounts/emp')).status).toBe(404);
  await operator.close();
});
