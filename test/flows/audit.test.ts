/** What the audit log records of people and operators: each event once, by whom, from where, in which request, and no secrets. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { AuditLog, type AuditEntry } from '../../src/accounts/audit/audit-log.js';
import { PATHS } from '../../src/contract/paths.js';
import { ManageUser, newPerson, signIn } from '../support/manage.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { SecondStepStory } from '../support/second-step.js';
import { signInBrowser } from '../support/signed-in-browser.js';

let gateway: TestGateway;
let story: SecondStepStory;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
  story = new SecondStepStory(gateway);
});
afterAll(() => gateway.close());

/** Lists all events of an account, oldest first. */
async function findAuditLog({ id }: Account): Promise<AuditEntry[]> {
  const { entries } = await gateway.get(AuditLog).list(id);
  return entries.reverse().filter(({ kind }) => !['account.created', 'password.changed'].includes(kind));
}

const findConsents = async (account: Account) => (await findAuditLog(account)).filter(({ kind }) => kind.startsWith('consent.'));
const findKinds = async (account: Account) => (await findAuditLog(account)).map(({ kind }) => kind);

/** Signs in, and leaves the events of this sign-in out. */
async function consent(account: Account, more: object, path: string, fields: object = {}) {
  const { browser } = await signInBrowser(gateway, { username: account.username });
  const challenge = `audit-consent-${(count += 1)}`;
  gateway.hydra.addConsent({ challenge, subject: account.id, ...more });
  const page = await browser.get(`${PATHS.consent}?consent_challenge=${challenge}`);
  if (page.status === 303) return page;
  const { xsrf_token: _xsrf, ticket } = page.state('consent').consent;
  return browser.post(path, { _xsrf, consent_challenge: challenge, ticket, ...fields });
}

describe('[AUD-1] a sign-in', () => {
  it('with a password alone records a password and a sign-in, with the app and the method', async () => {
    const account = await newPerson(gateway);
    await signIn(gateway, gateway.browser(), account);
    const [password, done, ...more] = await findAuditLog(account);
    expect(more).toEqual([]);
    expect(password).toMatchObject({ kind: 'password.ok', actor: 'person', address: '127.0.0.1' });
    expect(done).toMatchObject({ kind: 'sign-in.ok', detail: { client: gateway.hydra.client().id, amr: ['pwd'] } });
    expect(done?.requestId).toMatch(/.{8}/);
    expect(done?.requestId).toBe(password?.requestId);
  });

  it('with a second factor is recorded only after the factor was proven', async () => {
    const { account, app } = await story.createPerson();
    const { browser, fields } = await story.reachStep(account);
    const send = (code: string) => browser.post(PATHS.mfaVerify, { ...fields, method: 'totp', code });
    expect((await findKinds(account)).slice(-1)).toEqual(['password.ok']);
    await send('000000');
    await send(app.code());
    expect((await findKinds(account)).slice(-4)).toEqual(['password.ok', 'factor.refused', 'factor.ok', 'sign-in.ok']);
    expect((await findAuditLog(account)).at(-1)?.detail).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] });
  });

  it('that is sent twice by a double click is logged once', async () => {
    const account = await newPerson(gateway);
    const browser = gateway.browser();
    const challenge = `audit-login-${(count += 1)}`;
    gateway.hydra.addLogin({ challenge });
    const { xsrf_token } = (await browser.get(`${PATHS.login}?login_challenge=${challenge}`)).state('login').login;
    const fields = { _xsrf: xsrf_token, login_challenge: challenge, username: account.username, password: PASSWORD };
    await Promise.all([browser.post(PATHS.loginNative, fields), browser.post(PATHS.loginNative, fields)]);
    expect((await findKinds(account)).filter((kind) => kind === 'sign-in.ok')).toHaveLength(1);
  });

  it('that continues a session is logged for each app', async () => {
    const account = await newPerson(gateway);
    const browser = gateway.browser();
    const first = `audit-login-${(count += 1)}`;
    const sessionId = `audit-sid-${count}`;
    gateway.hydra.addLogin({ challenge: first, sessionId });
    const { xsrf_token } = (await browser.get(`${PATHS.login}?login_challenge=${first}`)).state('login').login;
    const fields = { _xsrf: xsrf_token, login_challenge: first, username: account.username, password: PASSWORD };
    await browser.post(PATHS.loginNative, fields);
    const challenge = `audit-login-${(count += 1)}`;
    const client = gateway.hydra.client({ id: 'other-app' });
    gateway.hydra.addLogin({ challenge, sessionId, skip: true, subject: account.id, client });
    expect((await browser.get(`${PATHS.login}?login_challenge=${challenge}`)).status).toBe(303);
    expect((await findAuditLog(account)).at(-1)).toMatchObject({ kind: 'sign-in.continued', detail: { client: 'other-app' } });
  });

  it('[AUD-2] that fails is logged without an account and without what was typed', async () => {
    const browser = gateway.browser();
    const challenge = `audit-login-${(count += 1)}`;
    gateway.hydra.addLogin({ challenge });
    const { xsrf_token } = (await browser.get(`${PATHS.login}?login_challenge=${challenge}`)).state('login').login;
    const typed = { username: 'Geheim-im-falschen-Feld', password: 'noch-ein-Geheimnis' };
    await browser.post(PATHS.loginNative, { _xsrf: xsrf_token, login_challenge: challenge, ...typed });
    const { entries } = await gateway.get(AuditLog).search({ limit: 1 });
    expect(entries).toEqual([expect.objectContaining({ kind: 'password.refused', actor: 'person', address: '127.0.0.1' })]);
    expect(JSON.stringify(await gateway.get(AuditLog).search({ limit: 200 }))).not.toMatch(/Geheim/i);
  });
});

describe('[AUD-2] a refused password', () => {
  /** @returns the page, and the event of the audit log */
  async function refuse(username: string, password: string) {
    const browser = gateway.browser();
    const challenge = `audit-login-${(count += 1)}`;
    gateway.hydra.addLogin({ challenge });
    const { xsrf_token } = (await browser.get(`${PATHS.login}?login_challenge=${challenge}`)).state('login').login;
    const page = await browser.post(PATHS.loginNative, { _xsrf: xsrf_token, login_challenge: challenge, username, password });
    const { entries } = await gateway.get(AuditLog).search({ kinds: ['password.refused'], limit: 1 });
    return { page, event: entries[0] };
  }

  it('has its reason in the log, and the same page whatever the reason', async () => {
    const [active, disabled] = [await newPerson(gateway), await newPerson(gateway)];
    await gateway.get(Accounts).setStatus(disabled.id, 'disabled');
    const empty = await gateway.get(Accounts).create({ username: 'without.a.password' });
    const cases = [
      [active.username, 'wrong', 'wrong-password', active.id],
      [disabled.username, PASSWORD, 'disabled', disabled.id],
      [empty.username, PASSWORD, 'no-password', empty.id],
      ['nobody.at.all', PASSWORD, 'unknown-name', undefined],
    ] as const;
    const shown = new Set<string>();
    for (const [username, password, reason, accountId] of cases) {
      const { page, event } = await refuse(username, password);
      expect([username, event?.detail, event?.accountId]).toEqual([username, { reason }, accountId]);
      const { error, missing } = page.state('login').login;
      shown.add(JSON.stringify([page.status, error, missing]));
    }
    expect([...shown]).toHaveLength(1);
  });

  it('of a locked account is known to be unchecked', async () => {
    const account = await newPerson(gateway);
    for (let tries = 0; tries < gateway.config.limits.accountStopAt; tries += 1) {
      await refuse(account.username, 'wrong');
      // Longer than any wait for the account or the address.
      gateway.clock.advanceSeconds(24 * 3600);
    }
    expect((await refuse(account.username, PASSWORD)).event).toMatchObject({
      accountId: account.id,
      detail: { reason: 'stopped' },
    });
  });
});

describe('[AUD-1] a consent', () => {
  it('is logged once with its scopes, and so is a refusal', async () => {
    const account = await newPerson(gateway);
    await consent(account, {}, PATHS.consentAccept, { scopes: ['openid', 'email'] });
    await consent(account, {}, PATHS.consentReject);
    const client = gateway.hydra.client().id;
    expect(await findConsents(account)).toMatchObject([
      { kind: 'consent.granted', actor: 'person', detail: { client, scopes: ['openid', 'email'], asked: true } },
      { kind: 'consent.refused', detail: { client, error: 'access_denied' } },
    ]);
  });

  it('without a page is logged as such', async () => {
    const account = await newPerson(gateway);
    await consent(account, { skip: true }, '');
    expect(await findConsents(account)).toMatchObject([{ kind: 'consent.granted', detail: { asked: false } }]);
  });
});

describe('[AUD-1] a logout', () => {
  it('is logged with the app that requested it, and a rejected logout is not logged', async () => {
    const account = await newPerson(gateway);
    const browser = gateway.browser();
    await signIn(gateway, browser, account);
    for (const path of [PATHS.logoutReject, PATHS.logoutAccept]) {
      const challenge = `audit-logout-${(count += 1)}`;
      gateway.hydra.addLogout({ challenge, subject: account.id, rpInitiated: true, client: gateway.hydra.client() });
      const { xsrf_token } = (await browser.get(`${PATHS.logout}?logout_challenge=${challenge}`)).state('logout').logout;
      await browser.post(path, { _xsrf: xsrf_token, logout_challenge: challenge });
    }
    const logged = (await findAuditLog(account)).filter(({ kind }) => kind === 'logout.done');
    expect(logged).toMatchObject([{ actor: 'person', address: '127.0.0.1', detail: { client: gateway.hydra.client().id } }]);
  });

  it('of the account area is logged too', async () => {
    const user = await ManageUser.enter(gateway);
    await user.post(PATHS.manageLogout);
    expect(await findKinds(user.account)).toEqual(['area.opened']);
    await user.logOut();
    expect(await findKinds(user.account)).toEqual(['area.opened', 'area.closed', 'logout.done']);
  });
});

describe('[AUD-1] a forgotten password', () => {
  it('is logged for an unknown username too, and the limit is logged once', async () => {
    const browser = gateway.browser();
    const { xsrf_token } = (await browser.get(PATHS.passwordRequestForm)).state('password_request_form').password_request_form;
    const ask = (username: string) => browser.post(PATHS.passwordRequest, { _xsrf: xsrf_token, username });
    const audit = gateway.get(AuditLog);
    const listResetRequests = async () => (await audit.search({ kinds: ['password-reset.asked'] })).entries;
    await ask('nobody-of-this-name');
    while ((await listResetRequests()).length === 0) await new Promise(setImmediate);
    expect(await listResetRequests()).toMatchObject([{ actor: 'person', address: '127.0.0.1', detail: { mailed: false } }]);
    for (let more = 0; more < gateway.config.limits.addressFailures + 2; more++) await ask('nobody-of-this-name');
    const { entries } = await audit.search({ kinds: ['request.limited'] });
    expect(entries).toMatchObject([{ address: '127.0.0.1', detail: { request: 'password-reset' } }]);
  });
});
