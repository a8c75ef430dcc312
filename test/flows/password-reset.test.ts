/** A new password with a mailed link, over HTTP. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { OutboxClaims } from '../../src/accounts/queue/outbox-claims.js';
import { PasswordResets } from '../../src/accounts/password/resets.js';
import { PasswordAttempts } from '../../src/accounts/password/password-attempts.js';
import { PATHS } from '../../src/contract/paths.js';
import { ResetFlow } from '../../src/flows/password-reset/reset.flow.js';
import { clickTwice } from '../support/double-click.js';
import { ManageUser, newPerson } from '../support/manage.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { NEW_PASSWORD, ResetStory } from '../support/resets.js';
import { SecondStepStory, stepAddress } from '../support/second-step.js';
import type { TestPage } from '../support/test-browser.js';

const [HALF_HOUR, HOUR] = [1800, 3600];
const GONE = `${PATHS.passwordResetStatus}?status=error-token`;
const DONE = `${PATHS.passwordResetStatus}?status=success`;
const SENT = `${PATHS.passwordRequestStatus}?status=success`;

let gateway: TestGateway;
let story: ResetStory;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway({ config: ({ limits }) => ({ limits: { ...limits, addressFailures: 1000 } }) });
  story = new ResetStory(gateway);
});

afterAll(() => gateway.close());
afterEach(() => gateway.hydra.fail(null));

const person = (more: Parameters<TestGateway['account']>[1] = {}): Promise<Account> =>
  newPerson(gateway, { email: `person${(count += 1)}@example.org`, ...more });

async function canProve({ username }: Account, password: string): Promise<boolean> {
  const from = { address: '192.0.2.7', device: null, requestId: 'request' };
  return (await gateway.get(PasswordAttempts).prove({ username, password, ...from })).kind === 'proven';
}

/** What somebody who requests a mail can see, without the values that are new each time. */
function toVisible({ status, location, html, headers, setCookies }: TestPage): unknown {
  const varying = ['date', 'x-request-id', 'set-cookie', 'keep-alive'];
  const rest = [...headers].filter(([name]) => !varying.includes(name));
  return { status, location, html, rest, cookies: setCookies.map(({ name }) => name) };
}

const toSecrets = (accountId: string) =>
  gateway.database.db.selectFrom('one_time_secret').selectAll().where('account_id', '=', accountId).execute();

describe('requesting the mail', () => {
  it('[PWR-1] shows the form, and says on it when no name was given', async () => {
    const browser = gateway.browser();
    const { page, fields } = await story.form(browser);
    expect(page.state('password_request_form').password_request_form).toMatchObject({ error: null, username: '', ticket: '' });
    for (const username of ['', '   ']) {
      const { status, state } = await browser.post(PATHS.passwordRequest, { ...fields, username });
      expect([status, state('password_request_form').password_request_form.error]).toEqual([422, 'empty-username']);
    }
    expect((await browser.post(PATHS.passwordRequest, { username: 'maria' })).status).toBe(403);
  });

  it('[PWR-2] [S-25] answers the same for a known, an unknown and a disabled account, and one without an address', async () => {
    const [known, disabled, without] = [await person(), await person(), await newPerson(gateway)];
    await gateway.get(Accounts).setStatus(disabled.id, 'disabled');
    const answers: unknown[] = [];
    const names = [known, disabled, without].map(({ username }) => username).concat('nobody.at.all', 'no name \u202e at all');
    for (const name of names) answers.push(toVisible(await story.ask(name)));
    expect(answers[0]).toMatchObject({ status: 303, location: SENT });
    expect(answers).toEqual(answers.map(() => answers[0]));
    expect((await story.listMails()).map(({ recipient }) => recipient)).toEqual([known.email]);
  });

  it('[S-25] is answered before the account is looked up', async () => {
    const { username } = await person();
    const resets = gateway.get(PasswordResets);
    const mail = resets.mail.bind(resets);
    let answered = false;
    let answeredFirst: boolean | undefined;
    resets.mail = (request) => {
      answeredFirst = answered;
      return mail(request);
    };
    await story.ask(username);
    answered = true;
    expect(await story.listMails()).toHaveLength(1);
    expect(answeredFirst).toBe(true);
    resets.mail = mail;
  });

  it('[PWR-2] shows only one of two statuses', async () => {
    const status = async (query: string) =>
      (await gateway.browser().get(PATHS.passwordRequestStatus + query)).state('password_request_status').password_request_status;
    const again_url = PATHS.passwordRequestForm;
    for (const query of ['?status=success', '', '?status=error', '?status=<b>', '?status=success&ticket=forged.ticket']) {
      expect(await status(query)).toEqual({ status: query.includes('success') ? 'success' : 'error', again_url });
    }
  });

  it('[PWR-3] mails in the language of the page, otherwise of the account', async () => {
    const { username } = await person({ language: 'de' });
    await story.ask(username, gateway.browser({ 'accept-language': 'en' }));
    expect(await story.listMails()).toMatchObject([{ locale: 'en' }]);
    await story.ask(username, gateway.browser({ 'accept-language': '*' }));
    expect(await story.listMails()).toMatchObject([{ locale: 'de' }]);
  });

  it('[S-48] sends at most three mails an hour for an account, with the same answer', async () => {
    const { username, id } = await person();
    const browser = gateway.browser();
    const { fields } = await story.form(browser);
    const ask = () => browser.post(PATHS.passwordRequest, { ...fields, username });
    const answers = await Promise.all(Array.from({ length: 50 }, ask));
    expect(answers.every(({ location }) => location === SENT)).toBe(true);
    const mails = await story.listMails();
    expect(mails).toHaveLength(3);
    expect(await toSecrets(id)).toHaveLength(1);
    gateway.clock.advanceSeconds(HOUR - 60);
    await ask();
    expect(await story.listMails()).toHaveLength(0);
    gateway.clock.advanceSeconds(120);
    await ask();
    expect(await story.listMails()).toHaveLength(1);
  });

  it('[S-48] is limited for one address, and others continue', async () => {
    const own = await startTestGateway({
      config: ({ limits }) => ({ limits: { ...limits, addressFailures: 3 }, trustProxyHops: 1 }),
    });
    try {
      const askFrom = (address: string) => new ResetStory(own).ask('maria', own.browser({ 'x-forwarded-for': address }));
      for (let ask = 0; ask < 3; ask++) expect((await askFrom('192.0.2.1')).status).toBe(303);
      const limited = await askFrom('192.0.2.1');
      expect(limited.status).toBe(429);
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
      const { password_request_form: state } = limited.state('password_request_form');
      expect(state).toMatchObject({ error: 'limited', username: 'maria' });
      expect(state.retry_after).toBe(Number(limited.headers.get('retry-after')));
      expect((await askFrom('198.51.100.1')).status).toBe(303);
      own.clock.advanceSeconds(own.config.limits.addressWindowSeconds + 1);
      expect((await askFrom('192.0.2.1')).status).toBe(303);
    } finally {
      await own.close();
    }
  });

  it('completes its pending work before the gateway stops', async () => {
    const own = await startTestGateway();
    const { username } = await own.account('leaving', { email: 'leaving@example.org' });
    await new ResetStory(own).ask(username);
    const claims = own.get(OutboxClaims);
    const close = own.database.close.bind(own.database);
    let kinds: string[] = [];
    own.database.close = async () => {
      kinds = (await claims.claim(10)).map(({ kind }) => kind);
      await close();
    };
    await own.close();
    expect(kinds).toEqual(['password-reset']);
  });
});

describe('the link', () => {
  it('[PWR-3] [PWR-4] [S-39] shows the form; opening it ten times does not use it', async () => {
    const account = await person();
    const token = await story.requestToken(account.username);
    const address = `${PATHS.passwordResetForm}?reset_token=${token}`;
    for (let look = 0; look < 10; look++) {
      const browser = gateway.browser();
      expect(await browser.get(address)).toMatchObject({ status: 303, location: PATHS.passwordResetForm, html: '' });
      const page = await browser.get(PATHS.passwordResetForm);
      expect(page.state('password_reset_form').password_reset_form).toMatchObject({ error: null, reset_token: token });
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
      expect(page.headers.get('cache-control')).toBe('no-store');
      await gateway.browser().request(address, { method: 'HEAD' });
    }
    expect((await story.reset(token)).location).toBe(DONE);
    expect([await canProve(account, NEW_PASSWORD), await canProve(account, PASSWORD)]).toEqual([true, false]);
  });

  it('[S-36] has 256 bits, is stored as a hash, and appears in no log line', async () => {
    const { username, id } = await person();
    const token = await story.requestToken(username);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    await story.reset(token);
    const another = await story.requestToken(username);
    const rows = JSON.stringify([await toSecrets(id), await gateway.database.db.selectFrom('outbox').selectAll().execute()]);
    const audit = JSON.stringify((await gateway.get(AuditLog).list(id)).entries);
    for (const secret of [token, another]) expect(rows + audit + JSON.stringify(gateway.logLines)).not.toContain(secret);
  });

  it('[PWR-3] [S-37] works shortly before its half hour ends and not afterwards', async () => {
    const { username } = await person();
    const early = await story.requestToken(username);
    gateway.clock.advanceSeconds(HALF_HOUR - 60);
    expect((await story.reset(early)).location).toBe(DONE);
    const late = await story.requestToken(username);
    const { browser, fields } = await story.openForm(late);
    gateway.clock.advanceSeconds(HALF_HOUR + 1);
    expect((await browser.post(PATHS.passwordReset, fields)).location).toBe(GONE);
    expect((await browser.get(`${PATHS.passwordResetForm}?reset_token=${late}`)).location).toBe(GONE);
  });

  it('[PWR-3] works only if it is the newest, and if password and address have not changed', async () => {
    const account = await person();
    const old = await story.requestToken(account.username);
    const newest = await story.requestToken(account.username);
    expect((await gateway.browser().get(`${PATHS.passwordResetForm}?reset_token=${old}`)).location).toBe(GONE);
    await gateway.get(Accounts).update(account.id, { email: 'elsewhere@example.org' });
    expect((await gateway.browser().get(`${PATHS.passwordResetForm}?reset_token=${newest}`)).location).toBe(GONE);
    const disabled = await story.requestToken(account.username);
    const { browser, fields } = await story.openForm(disabled);
    await gateway.get(Accounts).setStatus(account.id, 'disabled');
    expect((await browser.post(PATHS.passwordReset, fields)).location).toBe(GONE);
    await gateway.get(Accounts).setStatus(account.id, 'active');
    expect((await browser.post(PATHS.passwordReset, fields)).location).toBe(GONE);
  });

  it('[PWR-5] [VAL-1] shows each fault on the form and keeps the token', async () => {
    const account = await person();
    const token = await story.requestToken(account.username);
    const faults: [Record<string, string>, string, string?][] = [
      [{ password: '' }, 'empty-password'],
      [{ password_repeat: '' }, 'empty-password-repeat'],
      [{ password_repeat: 'another one 4711' }, 'passwords-not-equal'],
      [{ password: 'krsp1', password_repeat: 'krsp1' }, 'password-strength', 'too-short'],
      [{ password: account.username, password_repeat: account.username }, 'password-strength', 'username'],
      [{ password: 'geheim123', password_repeat: 'geheim123' }, 'password-strength', 'common'],
    ];
    for (const [typed, error, reason] of faults) {
      const answer = await story.reset(token, typed);
      const { password_reset_form: form } = answer.state('password_reset_form');
      const reasons = reason === undefined ? undefined : [reason];
      expect({ status: answer.status, reasons, ...form }).toMatchObject({ status: 422, error, reset_token: token, reasons });
      // The page names the account, also if somebody entered the username as the password.
      expect(form.account).toEqual({ id: account.id, name: account.username, username: account.username });
      const secrets = Object.values(typed).filter((value) => value.length > 5 && value !== account.username);
      expect(secrets.filter((value) => answer.html.includes(value))).toEqual([]);
      expect(answer.html).not.toMatch(/<input(?=[^>]*type="password")[^>]*value="[^"]/);
    }
    expect((await story.reset(token)).location).toBe(DONE);
  });

  it('[PWR-6] leads to its status for an unknown or invalid token, and shows three statuses', async () => {
    const browser = gateway.browser();
    for (const token of ['', 'x', 'a'.repeat(43)]) {
      expect((await browser.get(`${PATHS.passwordResetForm}?reset_token=${token}`)).location).toBe(GONE);
      const { fields } = await story.form(browser);
      const form = { _xsrf: fields['_xsrf'] ?? '', reset_token: token, password: 'x', password_repeat: 'y' };
      expect((await browser.post(PATHS.passwordReset, form)).location).toBe(GONE);
    }
    for (const [given, shown] of [
      ['success', 'success'],
      ['error-token', 'error-token'],
      ['else', 'error'],
    ] as const) {
      const page = await browser.get(`${PATHS.passwordResetStatus}?status=${given}`);
      expect(page.state('password_reset_status').password_reset_status).toEqual({ status: shown });
    }
  });

  it('[PWR-3] [S-40] works once: one of fifty posts at the same moment wins, and its password counts', async () => {
    const account = await person();
    const token = await story.requestToken(account.username);
    const { browser, fields } = await story.openForm(token);
    const tries = Array.from({ length: 50 }, (_, index) => `linde kupfer ${1000 + index}`);
    const answers = await Promise.all(
      tries.map((password) => browser.twin().post(PATHS.passwordReset, { ...fields, password, password_repeat: password })),
    );
    const won = tries.filter((_, index) => answers[index]?.location === DONE);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ location }) => location === GONE)).toHaveLength(49);
    expect(await canProve(account, won[0] ?? '')).toBe(true);
    expect((await browser.post(PATHS.passwordReset, fields)).location).toBe(GONE);
  });

  it('[PWR-3] works for a double click, which gets one answer', async () => {
    const account = await person();
    const { browser, fields } = await story.openForm(await story.requestToken(account.username));
    const answers = await clickTwice(gateway.get(ResetFlow), () => browser.twin().post(PATHS.passwordReset, fields));
    expect(answers.map(({ location }) => location)).toEqual([DONE, DONE]);
    expect((await browser.post(PATHS.passwordReset, fields)).location).toBe(GONE);
  });
});

describe('after a reset', () => {
  it('[PWR-7] [S-44] nothing continues that began with the old password', async () => {
    const account = await person();
    const user = await ManageUser.enter(gateway, { account, fresh: true });
    const rpc = await user.rpc();
    const other = await story.requestToken(account.username);
    const token = await story.requestToken(account.username);
    await story.reset(token);
    const { db } = gateway.database;
    const sessions = await db.selectFrom('browser_session').selectAll().where('account_id', '=', account.id).execute();
    expect([sessions, await toSecrets(account.id)]).toEqual([[], [expect.objectContaining({ purpose: 'not-me' })]]);
    expect((await user.browser.get(PATHS.manage)).location).toBe(`${PATHS.manageError}unauthorized`);
    expect((await rpc.call('GET', '/userinfo')).status).toBe(401);
    expect((await gateway.browser().get(`${PATHS.passwordResetForm}?reset_token=${other}`)).location).toBe(GONE);
    for (const call of ['endLoginSessions', 'revokeConsents']) {
      expect(gateway.hydra.calls).toContainEqual({ call, subject: account.id });
    }
    const { entries } = await gateway.get(AuditLog).list(account.id);
    expect(entries.filter(({ kind }) => kind === 'password.reset')).toHaveLength(1);
    const notices = await gateway.get(OutboxClaims).claim(100);
    expect(notices.filter(({ recipient }) => recipient === account.email).map(({ kind }) => kind)).toContain('password-changed');
  });

  it('[PWR-7] [S-45] nobody is signed in, a waiting sign-in ends, and the second factor is still required', async () => {
    const steps = new SecondStepStory(gateway);
    const { account } = await steps.createPerson();
    await gateway.get(Accounts).update(account.id, { email: 'factor@example.org' });
    const waiting = await steps.reachStep(account);
    const answer = await story.reset(await story.requestToken(account.username));
    expect(answer.setCookies.map(({ name }) => name).filter((name) => /session/i.test(name))).toEqual([]);
    expect(steps.findAccepted(waiting.challenge)).toEqual([]);
    const dead = await waiting.browser.get(stepAddress(waiting.challenge));
    expect(dead.state('mfa_verification').mfa_verification.token).toBeFalsy();
    const again = await steps.openLogin();
    const login = await again.browser.post(PATHS.loginNative, {
      ...again.fields,
      username: account.username,
      password: NEW_PASSWORD,
    });
    expect(login.location).toBe(stepAddress(again.challenge));
  });

  it('[PWR-7] an account that wrong passwords have stopped is open again', async () => {
    const account = await person();
    for (let wrong = 0; wrong < 6; wrong++) await canProve(account, 'wrong');
    expect(await canProve(account, PASSWORD)).toBe(false);
    await story.reset(await story.requestToken(account.username));
    expect(await canProve(account, NEW_PASSWORD)).toBe(true);
  });

  it('[PWR-7] the sessions end later if the upstream is silent, and the log says so', async () => {
    const account = await person();
    const { browser, fields } = await story.openForm(await story.requestToken(account.username));
    gateway.hydra.fail();
    expect((await browser.post(PATHS.passwordReset, fields)).location).toBe(DONE);
    expect(JSON.stringify(gateway.logLines)).toContain('a revocation job did not succeed; Foyer tries again');
    expect(await canProve(account, NEW_PASSWORD)).toBe(true);
  });

  it('is refused while too many passwords are being checked: the form says so and keeps the token', async () => {
    const own = await startTestGateway({ config: ({ hashing }) => ({ hashing: { ...hashing, queueLength: 0 } }) });
    try {
      const resets = new ResetStory(own);
      await own.account('busy', { email: 'busy@example.org' });
      const token = await resets.requestToken('busy');
      const forms = await Promise.all(Array.from({ length: 20 }, () => resets.openForm(token)));
      const answers = await Promise.all(forms.map(({ browser, fields }) => browser.post(PATHS.passwordReset, fields)));
      const busy = answers.filter(({ status }) => status === 503);
      expect(answers.filter(({ location }) => location === DONE)).toHaveLength(1);
      for (const answer of busy) expect(answer.state('password_reset_form').password_reset_form.error).toBe('busy');
    } finally {
      await own.close();
    }
  });
});

describe('the waiting sign-in', () => {
  it('[LOG-3] continues: the login page links the form, which leads back into the request', async () => {
    const account = await person();
    const browser = gateway.browser();
    const challenge = `reset-login-${(count += 1)}`;
    const requestUrl = `${gateway.config.hydra.publicUrl}/oauth2/auth?client_id=a&login_hint=${account.username}&ui_locales=de`;
    gateway.hydra.addLogin({ challenge, requestUrl });
    const { login } = (await browser.get(`${PATHS.login}?login_challenge=${challenge}`)).state('login');
    const query = `?login_challenge=${challenge}`;
    expect(login.password_reset_url).toBe(PATHS.passwordRequestForm + query);
    const { page } = await story.form(browser, query);
    const asked = page.state('password_request_form');
    expect(asked).toMatchObject({ locale: 'de', password_request_form: { username: account.username, restart_url: requestUrl } });
    const sent = await story.ask(account.username, browser, query);
    const status = (await browser.get(sent.location ?? '')).state('password_request_status');
    expect(status).toMatchObject({ locale: 'de', password_request_status: { status: 'success', restart_url: requestUrl } });
    const again = await browser.get(status.password_request_status.again_url);
    expect(again.state('password_request_form').password_request_form.restart_url).toBe(requestUrl);
    const [mail] = await story.listMails();
    expect(mail?.locale).toBe('de');
    // Another browser, in which the mail is read.
    const answer = await story.reset(String(mail?.values['token']));
    const done = (await gateway.browser().get(answer.location ?? '')).state('password_reset_status');
    expect(done.password_reset_status).toEqual({ status: 'success', restart_url: requestUrl });
  });

  it('[LOG-3] has no such link without mail, and the form explains that it cannot be done', async () => {
    const own = await startTestGateway({ config: ({ mail }) => ({ mail: { from: mail.from } }) });
    try {
      own.hydra.addLogin({ challenge: 'no-mail' });
      const { login } = (await own.browser().get(`${PATHS.login}?login_challenge=no-mail`)).state('login');
      expect(login.password_reset_url).toBeUndefined();
      expect((await new ResetStory(own).ask('maria')).location).toBe(`${PATHS.passwordRequestStatus}?status=error`);
    } finally {
      await own.close();
    }
  });

  it('[LOG-3] is not continued by a foreign ticket', async () => {
    const browser = gateway.browser();
    const { fields } = await story.form(browser, '?ticket=https://evil.example');
    expect(fields['ticket']).toBe('');
    const elsewhere = { ...fields, username: 'maria', ticket: 'https://evil.example' };
    expect((await browser.post(PATHS.passwordRequest, elsewhere)).location).toBe(SENT);
  });
});
