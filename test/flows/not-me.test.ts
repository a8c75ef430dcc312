/** "That was not me": the link of a notice secures an account, and its owner returns with a mail. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { FactorResets } from '../../src/mfa/factor-resets.js';
import { PasswordResets } from '../../src/accounts/password/resets.js';
import { PATHS } from '../../src/contract/paths.js';
import { ManageUser, accessToken, newPerson, signIn } from '../support/manage.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { NotMeStory } from '../support/not-me.js';
import { ResetStory } from '../support/resets.js';
import { SecondStepStory, stepAddress } from '../support/second-step.js';

const DONE = `${PATHS.notMeStatus}?status=success`;
const USED = `${PATHS.notMeStatus}?status=used`;
const GONE = `${PATHS.notMeStatus}?status=error-token`;
const THIEF_PASSWORD = 'elster glanz 9917';
const WEEK_SECONDS = 7 * 24 * 3600;

let gateway: TestGateway;
let story: NotMeStory;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
  story = new NotMeStory(gateway);
});

afterAll(() => gateway.close());
afterEach(() => gateway.hydra.fail(null));

const victim = () => newPerson(gateway, { email: `victim${(count += 1)}@example.org` });

/** Changes the password of an account, as somebody who knew it would. */
async function robAccount(account?: Account): Promise<{ account: Account; thief: ManageUser; token: string }> {
  const owner = account ?? (await victim());
  const thief = await ManageUser.enter(gateway, { account: owner, fresh: true });
  const fields = { password: PASSWORD, newPassword: THIEF_PASSWORD, newPasswordRepeat: THIEF_PASSWORD };
  const changed = await thief.post(PATHS.managePassword, fields);
  expect(changed.location).toBe(`${PATHS.manage}?status=password-success`);
  return { account: owner, thief, token: await story.findToken(owner) };
}

const toEntries = async ({ id }: Account) => (await gateway.get(AuditLog).list(id)).entries;
const findKinds = async (account: Account) => (await toEntries(account)).map(({ kind }) => kind);
const hasPassword = async ({ id }: Account) =>
  (await gateway.database.db.selectFrom('password_credential').select('hash').where('account_id', '=', id).execute()).length > 0;

describe('[NTC-4] the link of a notice', () => {
  it('[NTC-1] [S-39] asks first: following it changes nothing, and the form of another site does nothing', async () => {
    const { account, thief, token } = await robAccount();
    for (let look = 0; look < 10; look++) {
      const { not_me } = (await story.open(token)).state('not_me');
      expect(not_me).toEqual({ status: 'ask', token, xsrf_token: expect.any(String), freeze_hours: 24 });
      await gateway.browser().request(`${PATHS.notMe}?token=${token}`, { method: 'HEAD' });
    }
    expect((await gateway.browser().post(PATHS.notMe, { token })).status).toBe(403);
    expect((await thief.browser.get(PATHS.manage)).status).toBe(200);
    expect(await findKinds(account)).not.toContain('account.secured');
  });

  it('[S-41] is stored and passed on nowhere: no store, no referrer, no log, no audit log', async () => {
    const { account, token } = await robAccount();
    const page = await story.open(token);
    expect(page.headers.get('cache-control')).toContain('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    await story.submit(token);
    expect(JSON.stringify(gateway.logLines)).not.toContain(token);
    expect(JSON.stringify(await toEntries(account))).not.toContain(token);
    const { db } = gateway.database;
    const rows = [
      await db.selectFrom('one_time_secret').selectAll().execute(),
      await db.selectFrom('outbox').selectAll().execute(),
    ];
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('[NTC-1] [PWR-7] [S-44] ends everything that is open, here and at the upstream, and the password', async () => {
    const { account, thief, token } = await robAccount();
    const calls = await thief.rpc();
    const { secret: handed } = await gateway.get(PasswordResets).issue(account, { actor: 'operator' });
    const { secret: factors } = await gateway.get(FactorResets).issue(account, { actor: 'operator' });
    const pressed = await story.submit(token);
    expect(pressed.location).toBe(DONE);
    expect(pressed.setCookies.map(({ name }) => name).filter((name) => /session/i.test(name))).toEqual([]);
    expect((await thief.browser.get(PATHS.manage)).location).toBe(`${PATHS.manageError}unauthorized`);
    expect((await calls.get('/userinfo')).status).toBe(401);
    for (const call of ['endLoginSessions', 'revokeConsents']) {
      expect(gateway.hydra.calls).toContainEqual({ call, subject: account.id });
    }
    const { db } = gateway.database;
    expect(await db.selectFrom('browser_session').select('acr').where('account_id', '=', account.id).execute()).toEqual([]);
    expect(await hasPassword(account)).toBe(false);
    for (const link of [`${PATHS.passwordResetForm}?reset_token=${handed}`, `${PATHS.mfaResetForm}?reset_token=${factors}`]) {
      expect((await gateway.browser().get(link)).location).toContain('error-token');
    }
  });

  it('[NTC-1] [PWR-7] lets no older token of an app open the account area, also if the upstream has not ended it', async () => {
    const { account, token } = await robAccount();
    gateway.clock.advanceSeconds(60);
    const [older, other] = [1, 2].map(() => accessToken(gateway, account, { issuedAt: gateway.clock.now() }));
    const enterWithToken = async (t = '') => (await gateway.browser().get(`${PATHS.manage}?t=${t}`)).location;
    expect(await enterWithToken(other)).toBe(PATHS.manage);
    gateway.clock.advanceSeconds(60);
    gateway.hydra.fail();
    await story.submit(token);
    gateway.hydra.fail(null);
    expect(await enterWithToken(older)).toBe(`${PATHS.manageError}unauthorized`);
    expect(await enterWithToken(accessToken(gateway, account, { issuedAt: gateway.clock.now() }))).toBe(PATHS.manage);
  });

  it('[PWR-7] [S-44] ends a sign-in that waits for its second step', async () => {
    const steps = new SecondStepStory(gateway);
    const { account: made } = await steps.createPerson(`waits.${(count += 1)}`);
    const account = await gateway.get(Accounts).update(made.id, { email: `${made.username}@example.org` });
    await steps.createKeyHolder(account);
    const waiting = await steps.reachStep(account);
    expect((await story.submit(await story.findToken(account, 'security-key-added'))).location).toBe(DONE);
    const dead = await waiting.browser.get(stepAddress(waiting.challenge));
    expect(dead.state('mfa_verification').mfa_verification.token).toBeFalsy();
  });

  it('[NTC-1] is recorded in the audit log: who, from where, by which mail and request', async () => {
    const { account, token } = await robAccount();
    const { database } = gateway;
    const connection = { provider: 'google', issuer: 'https://google.example', subject: account.id };
    await database.db
      .insertInto('external_identity')
      .values({ ...connection, account_id: account.id, connected_at: database.now() })
      .execute();
    const pressed = await story.submit(token);
    const entry = (await toEntries(account)).find(({ kind }) => kind === 'account.secured');
    expect(entry).toMatchObject({
      actor: 'person',
      address: expect.stringContaining('127.0.0.1'),
      requestId: pressed.headers.get('x-request-id'),
      detail: { mail: 'password-changed', sessions: 2, freezeSeconds: 24 * 3600, providers: 'google' },
    });
  });

  it('[NTC-1] is answered with one mail with a link to a new password, without another "not me"', async () => {
    const { account, token } = await robAccount();
    await story.submit(token);
    const [first, last, ...more] = (await story.listMails(account)).map(({ kind }) => kind);
    expect([first, last, more]).toEqual(['password-changed', 'account-secured', []]);
    const reset = await story.findToken(account, 'account-secured');
    expect((await story.open(reset)).location).toBe(GONE);
    const answer = await new ResetStory(gateway).reset(reset);
    expect(answer.location).toContain(`${PATHS.passwordResetStatus}?status=success`);
    expect(await findKinds(account)).toContain('password.reset');
  });

  it('[NTC-1] works although the upstream is silent', async () => {
    const { account, token } = await robAccount();
    gateway.hydra.fail();
    expect((await story.submit(token)).location).toBe(DONE);
    expect(await hasPassword(account)).toBe(false);
  });
});

describe('[NTC-4] one link', () => {
  it('[NTC-1] works once, also for twenty clicks at the same moment; the others are told that the account is already secured', async () => {
    const { account, token } = await robAccount();
    const { browser, fields } = await story.openForm(token);
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.twin().post(PATHS.notMe, fields)));
    expect(answers.filter(({ location }) => location === DONE)).toHaveLength(1);
    expect(answers.filter(({ location }) => location === USED)).toHaveLength(19);
    expect((await findKinds(account)).filter((kind) => kind === 'account.secured')).toHaveLength(1);
    expect((await story.listMails(account)).filter(({ kind }) => kind === 'account-secured')).toHaveLength(1);
  });

  it('[NTC-1] covers every mail so far: an older one cannot undo the password that the owner sets next', async () => {
    const { account, token: older } = await robAccount();
    const { token } = await robAccount(await reopenAccount(account));
    expect(token).not.toBe(older);
    await story.submit(token);
    await new ResetStory(gateway).reset(await story.findToken(account, 'account-secured'));
    expect((await story.open(older)).location).toBe(USED);
    const browser = gateway.browser();
    const { fields } = await story.openForm(await story.findToken(account), browser);
    expect((await browser.post(PATHS.notMe, { ...fields, token: older })).location).toBe(USED);
    expect(await hasPassword(account)).toBe(true);
  });

  it('[NTC-1] is valid for a week; afterwards its page links to a new password', async () => {
    const { account, token } = await robAccount();
    gateway.clock.advanceSeconds(WEEK_SECONDS - 60);
    const { browser, fields } = await story.openForm(token);
    gateway.clock.advanceSeconds(61);
    expect((await story.open(token)).location).toBe(GONE);
    expect((await browser.post(PATHS.notMe, fields)).location).toBe(GONE);
    expect(await hasPassword(account)).toBe(true);
    expect((await gateway.browser().get(GONE)).html).toContain(PATHS.passwordRequestForm);
  });

  it('[NTC-1] belongs to the mailbox that it was sent to, and does nothing for a disabled account', async () => {
    const { account, token } = await robAccount();
    await gateway.get(Accounts).update(account.id, { email: `new.${account.email ?? ''}` });
    expect((await story.open(token)).location).toBe(GONE);
    const other = await robAccount();
    const { browser, fields } = await story.openForm(other.token);
    await gateway.get(Accounts).setStatus(other.account.id, 'disabled');
    expect((await browser.post(PATHS.notMe, fields)).location).toBe(GONE);
  });

  it('[S-48] is not found by guessing: an address that guesses is delayed, and a right link still works', async () => {
    const { token } = await robAccount();
    const { browser, fields } = await story.openForm(token);
    const most = gateway.config.limits.addressFailures;
    const guess = (number: number) => browser.twin().post(PATHS.notMe, { ...fields, token: `${number}`.padStart(43, 'A') });
    const answers = await Promise.all(Array.from({ length: most + 20 }, (_, number) => guess(number)));
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThanOrEqual(20);
    expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await browser.post(PATHS.notMe, fields)).location).toBe(DONE);
  });

  it('shows its results', async () => {
    for (const [given, shown] of [
      ['success', 'success'],
      ['used', 'used'],
      ['error-token', 'error-token'],
      ['ask', 'error'],
    ] as const) {
      const page = await gateway.browser().get(`${PATHS.notMeStatus}?status=${given}`);
      expect(page.state('not_me').not_me).toEqual({ status: shown });
    }
  });
});

/** The owner has their password again. */
async function reopenAccount(account: Account): Promise<Account> {
  const { secret } = await gateway.get(PasswordResets).issue(account, { actor: 'operator' });
  await new ResetStory(gateway).reset(secret, { password: PASSWORD, password_repeat: PASSWORD });
  await signIn(gateway, gateway.browser(), account);
  return account;
}
