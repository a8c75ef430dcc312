/** `LOGIN_WITH=username,email` over HTTP: signing in, resetting a password, hints, and how an address becomes verified. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { PasswordResets } from '../../src/accounts/password/resets.js';
import type { SourceSettings } from '../../src/config/source-settings.js';
import { PATHS } from '../../src/contract/paths.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { ResetStory } from '../support/resets.js';
import { readSources } from '../support/slapd.js';

let gateway: TestGateway;
let off: TestGateway;
let story: ResetStory;
let count = 0;

beforeAll(async () => {
  const server = { host: 'localhost', port: 1, encryption: 'none' as const };
  gateway = await startTestGateway({
    config: ({ mail, login }) => ({ mail: { ...mail, server }, login: { ...login, byEmail: true } }),
  });
  off = await startTestGateway({ config: ({ mail }) => ({ mail: { ...mail, server } }) });
  story = new ResetStory(gateway);
});

afterAll(async () => {
  await gateway.close();
  await off.close();
});

async function person(isVerified: boolean, target = gateway) {
  const name = `person.${(count += 1)}`;
  const email = `${name}@example.org`;
  return { email, ...(await target.account(name, { email, emailVerified: isVerified })) };
}

async function openLogin(more: object = {}, target = gateway) {
  const challenge = `by-email-${(count += 1)}`;
  target.hydra.addLogin({ challenge, ...more });
  const browser = target.browser({ 'accept-language': 'en' });
  const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
  const { login } = page.state('login');
  const fields = { _xsrf: login.xsrf_token, login_challenge: challenge, ticket: login.ticket };
  return { browser, challenge, page, login, fields };
}

async function trySignIn(username: string, target = gateway, password = PASSWORD) {
  const { browser, fields, challenge } = await openLogin({}, target);
  const answer = await browser.post(PATHS.loginNative, { ...fields, username, password });
  const accepted = target.hydra.calls.find((call) => call.call === 'acceptLogin' && call.challenge === challenge);
  return accepted?.call === 'acceptLogin' ? accepted.authentication.subject : answer.state('login').login.error;
}

describe('signing in', () => {
  it('[LOG-16] [LOG-1] accepts a verified address, says so on the page, and fills in a hint with an address', async () => {
    const { id, email } = await person(true);
    expect(await trySignIn(email)).toBe(id);
    const { page, login } = await openLogin({ loginHint: email });
    expect([login.by, login.username]).toEqual(['email', email]);
    expect(page.html).toContain('Username or e\u2011mail address');
  });

  it('[LOG-16] [LOG-1] accepts no unverified address, and none where the setting is off', async () => {
    const { email, username, id } = await person(false);
    expect([await trySignIn(email), await trySignIn(username)]).toEqual(['credentials', id]);
    const other = await person(true, off);
    expect([await trySignIn(other.email, off), await trySignIn(other.username, off)]).toEqual(['credentials', other.id]);
    expect((await openLogin({}, off)).login.by).toBeUndefined();
  });

  it('[LOG-16] [LOG-1] is named on the page too where a directory accepts addresses', async () => {
    const [ldap] = readSources([
      { id: 'staff', type: 'ldap', urls: ['ldaps://ldap.example'], base: 'dc=x', login: ['uid', 'mail'] },
    ]);
    const byUsername = { ...ldap, login: ['uid'] } as SourceSettings;
    for (const [source, by] of [
      [ldap, 'email'],
      [byUsername, undefined],
    ] as const) {
      const sources = source ? [source] : [];
      const target = await startTestGateway({ sources: [], config: () => ({ sources }) });
      expect((await openLogin({}, target)).login.by).toBe(by);
      await target.close();
    }
  });
});

describe('a new password', () => {
  it('[PWR-1] is requested with a verified address only; the answer is the same for any address', async () => {
    const [known, unverified] = [await person(true), await person(false)];
    for (const name of [known.email, unverified.email, 'nobody@example.org', 'no address@', '@']) {
      expect((await story.ask(name)).location).toContain('status=success');
    }
    expect((await story.listMails()).map(({ recipient, username }) => [recipient, username])).toEqual([
      [known.email, known.username],
    ]);
  });

  it('[PWR-7] by a mailed link verifies the address, and by a link that was handed out does not', async () => {
    const mailed = await person(false);
    await story.reset(await story.requestToken(mailed.username));
    expect((await gateway.get(Accounts).find(mailed.id))?.emailVerified).toBe(true);
    const { entries } = await gateway.get(AuditLog).list(mailed.id);
    expect(entries.find(({ kind }) => kind === 'account.changed')?.detail).toEqual({ fields: ['emailVerified'] });
    const handed = await person(false);
    await story.reset((await gateway.get(PasswordResets).issue(handed, { actor: 'operator' })).secret);
    expect((await gateway.get(Accounts).find(handed.id))?.emailVerified).toBe(false);
  });

  it('[PWR-7] does not verify an address that another account has verified', async () => {
    const owner = await person(true);
    const attacker = await gateway.account(`attacker.${(count += 1)}`, { email: owner.email });
    await story.reset(await story.requestToken(attacker.username));
    expect((await gateway.get(Accounts).find(attacker.id))?.emailVerified).toBe(false);
    expect(await trySignIn(owner.email)).toBe(owner.id);
  });
});
