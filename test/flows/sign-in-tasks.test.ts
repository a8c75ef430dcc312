/** Tasks between a proof and the app: a new password that an operator has required, on every way to the app. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { RequiredPasswords } from '../../src/accounts/password/required-password.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import { PATHS } from '../../src/contract/paths.js';
import type { TaskState } from '../../src/contract/task-state.js';
import type { LoginRequest } from '../../src/hydra/hydra.port.js';
import { PasskeyStory } from '../support/passkeys.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser } from '../support/manage.js';
import { SecondStepStory, stepAddress, type PersonWithApp, type Waiting } from '../support/second-step.js';
import { signInBrowser } from '../support/signed-in-browser.js';
import type { TestBrowser, TestPage } from '../support/test-browser.js';
import { TwoTabsStory } from '../support/two-tabs.js';

const BY = { actor: 'operator' } as const;
const NEW = 'silber ahorn 7392';

let gateway: TestGateway;
let story: SecondStepStory;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
  story = new SecondStepStory(gateway);
});

afterAll(() => gateway.close());

const taskAddress = (challenge: string): string => `${PATHS.loginTask}?login_challenge=${challenge}`;

async function requirePassword(account: Account): Promise<void> {
  // The version of a password is the time at which it was set.
  gateway.clock.advanceSeconds(60);
  await gateway.get(RequiredPasswords).require(account, BY);
}

async function createAsked(): Promise<Account> {
  const account = await gateway.account(`asked.${(count += 1)}`, { email: `asked.${count}@example.org` });
  await requirePassword(account);
  return account;
}

interface Task {
  browser: TestBrowser;
  challenge: string;
  state: TaskState;
  fields: Record<string, string>;
}

async function openTask(browser: TestBrowser, challenge: string, address = taskAddress(challenge)): Promise<Task> {
  const { task: state } = (await browser.get(address)).state('task');
  const { xsrf_token: _xsrf, login_challenge, ticket, kind: task, trust_browser } = state;
  return { browser, challenge, state, fields: { _xsrf, login_challenge, ticket, task, trust_browser } };
}

/** Signs in with the password up to the task. */
async function reachTask(account: Account, more: Partial<LoginRequest> = {}, browser?: TestBrowser): Promise<Task> {
  const opened = await story.openLogin(more, browser);
  const answer = await story.signIn(opened.browser, opened.fields, account);
  expect([answer.status, answer.location]).toEqual([303, taskAddress(opened.challenge)]);
  return openTask(opened.browser, opened.challenge);
}

function choose({ browser, fields }: Task, password = NEW, more: Record<string, string> = {}): Promise<TestPage> {
  return browser.post(PATHS.loginTask, { ...fields, password, password_repeat: password, ...more });
}

function prove({ browser, fields }: Waiting, { app }: PersonWithApp, more: Record<string, string> = {}): Promise<TestPage> {
  gateway.clock.advanceSeconds(60);
  return browser.post(PATHS.mfaVerify, { ...fields, method: 'totp', code: app.code(), ...more });
}

/** Expects that before the second step no password can be chosen. */
async function expectEarlyRefusal({ browser, challenge, fields }: Waiting): Promise<void> {
  expect((await browser.get(taskAddress(challenge))).location).toBe(stepAddress(challenge));
  const early = await browser.post(PATHS.loginTask, { ...fields, task: 'password', password: NEW, password_repeat: NEW });
  expect([early.status, early.location]).toEqual([303, stepAddress(challenge)]);
  const skipped = await browser.post(PATHS.mfaVerify, { ...fields, mfa_token: 'none' });
  expect(skipped.status).toBe(403);
  expect(story.findAccepted(challenge)).toEqual([]);
}

async function listKinds({ id }: Account): Promise<string[]> {
  return (await gateway.get(AuditLog).list(id)).entries.map(({ kind }) => kind).reverse();
}

const signInWith = async (account: Account, password: string) => {
  const opened = await story.openLogin();
  const form = { ...opened.fields, username: account.username, password };
  return { ...opened, answer: await opened.browser.post(PATHS.loginNative, form) };
};

describe('[TSK-1] a new password that an operator requires', () => {
  it('is chosen on the way, once, and the person reaches the app', async () => {
    const account = await createAsked();
    const task = await reachTask(account);
    expect(task.state).toMatchObject({ kind: 'password', required_by: 'operator', error: null, account: { id: account.id } });
    expect(story.findAccepted(task.challenge)).toEqual([]);
    const answer = await choose(task);
    expect([answer.status, answer.location]).toEqual([303, expect.stringContaining('login_verifier=')]);
    expect(story.findAccepted(task.challenge)).toMatchObject([{ authentication: { amr: ['pwd'], subject: account.id } }]);
    const [old, next] = [await signInWith(account, PASSWORD), await signInWith(account, NEW)];
    expect([old.answer.status, next.answer.status]).toEqual([422, 303]);
    expect(story.findAccepted(next.challenge)).toHaveLength(1);
    const kinds = await listKinds(account);
    expect(kinds.filter((kind) => kind.startsWith('password.c'))).toEqual([
      'password.changed',
      'password.change-required',
      'password.changed',
    ]);
  });

  it('is announced in the account area until the password is changed there', async () => {
    const account = await gateway.account(`asked.${(count += 1)}`);
    const user = await ManageUser.enter(gateway, { account, fresh: true });
    const readAnnounced = async () => (await user.page(PATHS.manage, 'manage')).manage.password_required;
    expect(await readAnnounced()).toBeUndefined();
    await requirePassword(account);
    expect(await readAnnounced()).toBe(true);
    gateway.clock.advanceSeconds(60);
    const typed = { password: PASSWORD, newPassword: NEW, newPasswordRepeat: NEW };
    expect((await user.post(PATHS.managePassword, typed)).status).toBe(303);
    expect(await readAnnounced()).toBeUndefined();
    expect((await signInWith(account, NEW)).answer.location).toContain('login_verifier=');
  });

  it('ends with any other new password', async () => {
    const account = await createAsked();
    gateway.clock.advanceSeconds(60);
    expect(await gateway.get(SetPassword).setPassword(account.id, NEW)).toEqual([]);
    const { answer, challenge } = await signInWith(account, NEW);
    expect(answer.location).toContain('login_verifier=');
    expect(story.findAccepted(challenge)).toHaveLength(1);
  });

  it.each([
    ['', '', 'empty-password'],
    [NEW, '', 'empty-password-repeat'],
    [NEW, `${NEW}!`, 'passwords-not-equal'],
    ['short', 'short', 'password-strength'],
    [PASSWORD, PASSWORD, 'same'],
  ])('refuses %j with %j on the page: %s', async (password, password_repeat, error) => {
    const account = await createAsked();
    const task = await reachTask(account);
    const answer = await choose(task, password, { password_repeat });
    expect([answer.status, answer.state('task').task.error]).toEqual([422, error]);
    expect(story.findAccepted(task.challenge)).toEqual([]);
    expect((await choose(await openTask(task.browser, task.challenge))).status).toBe(303);
  });

  it('is refused while credentials are frozen, and the page leads to a link by mail', async () => {
    const account = await createAsked();
    const credentials_frozen_until = new Date(gateway.clock.now().getTime() + 3_600_000);
    await gateway.database.db.updateTable('account').set({ credentials_frozen_until }).where('id', '=', account.id).execute();
    const answer = await choose(await reachTask(account));
    const { task: state } = answer.state('task');
    expect([answer.status, state.error]).toEqual([422, 'frozen']);
    expect((await signInWith(account, PASSWORD)).answer.location).toContain(PATHS.loginTask);
  });

  it('signs out every other browser, and keeps this one', async () => {
    const account = await gateway.account(`asked.${(count += 1)}`);
    const other = await story.openLogin({ sessionId: `other-${count}` });
    await story.signIn(other.browser, other.fields, account);
    await requirePassword(account);
    await choose(await reachTask(account));
    const rows = await gateway.database.db
      .selectFrom('browser_session')
      .selectAll()
      .where('account_id', '=', account.id)
      .execute();
    expect(rows).toHaveLength(1);
  });
});

describe('[TSK-2] the page of a task', () => {
  it('answers a double click and a later click once, with the same answer', async () => {
    const task = await reachTask(await createAsked());
    const [one, two] = await Promise.all([choose(task), choose(task)]);
    const form = { ...task.fields, password: NEW, password_repeat: NEW };
    const three = await task.browser.post(PATHS.loginTask, form, { 'sec-fetch-site': 'same-origin' });
    expect([one.location, two.location, three.location]).toEqual([one.location, one.location, one.location]);
    expect(one.location).toContain('login_verifier=');
    expect(story.findAccepted(task.challenge)).toHaveLength(1);
    gateway.clock.advanceSeconds(11);
    const back = await task.browser.get(taskAddress(task.challenge));
    expect([back.status, back.state('login').login.challenge_fault]).toEqual([400, 'used']);
  });

  it('accepts nothing without the task, however the form is changed', async () => {
    const task = await reachTask(await createAsked());
    for (const more of [{ task: 'none' }, { task: '' }, { task: 'terms' }]) {
      const answer = await choose(task, '', more);
      expect([answer.status, answer.location]).toEqual([303, taskAddress(task.challenge)]);
    }
    expect(story.findAccepted(task.challenge)).toEqual([]);
  });

  it('belongs to the browser that gave the password', async () => {
    const task = await reachTask(await createAsked());
    const stranger = gateway.browser();
    const page = await stranger.get(taskAddress(task.challenge));
    expect([page.status, page.state('login').login.challenge_fault]).toEqual([400, expect.stringMatching(/foreign|no-cookies/)]);
    const { login } = (await stranger.get(`${PATHS.login}?login_challenge=other`)).state('login');
    const posted = await stranger.post(PATHS.loginTask, {
      ...task.fields,
      _xsrf: login.xsrf_token,
      password: NEW,
      password_repeat: NEW,
    });
    expect(posted.status).toBe(400);
    expect((await choose(task)).status).toBe(303);
  });

  it('says that the sign-in has expired after ten minutes, and how to start again', async () => {
    const account = await createAsked();
    const task = await reachTask(account);
    gateway.clock.advanceSeconds(11 * 60);
    const answer = await choose(task);
    expect([answer.status, answer.state('login').login]).toEqual([
      400,
      expect.objectContaining({ challenge_fault: 'expired', restart_url: expect.any(String) }),
    ]);
    expect((await signInWith(account, PASSWORD)).answer.location).toContain(PATHS.loginTask);
  });

  it('ends when the password is replaced elsewhere', async () => {
    const account = await createAsked();
    const task = await reachTask(account);
    gateway.clock.advanceSeconds(60);
    await gateway.get(SetPassword).setPassword(account.id, 'kobalt weide 5518');
    const answer = await choose(task);
    expect([answer.status, answer.state('login').login.challenge_fault]).toEqual([400, 'expired']);
    expect((await signInWith(account, 'kobalt weide 5518')).answer.location).toContain('login_verifier=');
  });

  it('lets the person go on if nothing is left to do', async () => {
    const account = await createAsked();
    const task = await reachTask(account);
    const cleared = { password_change_required_at: null, password_change_reason: null };
    await gateway.database.db.updateTable('account').set(cleared).where('id', '=', account.id).execute();
    const open = await openTask(task.browser, task.challenge);
    expect(open.state.kind).toBe('none');
    expect((await open.browser.post(PATHS.loginTask, open.fields)).location).toContain('login_verifier=');
  });
});

describe('[TSK-3] a task and a second factor', () => {
  it('comes after the factor: before it, no password can be chosen', async () => {
    const person = await story.createPerson();
    await requirePassword(person.account);
    const waiting = await story.reachStep(person.account);
    const { browser, challenge } = waiting;
    await expectEarlyRefusal(waiting);
    expect((await prove(waiting, person)).location).toBe(taskAddress(challenge));
    expect((await browser.get(stepAddress(challenge))).location).toBe(taskAddress(challenge));
    expect((await choose(await openTask(browser, challenge))).location).toContain('login_verifier=');
    expect(story.findAccepted(challenge)).toMatchObject([
      { authentication: { amr: expect.arrayContaining(['pwd', 'otp', 'mfa']) } },
    ]);
  });

  it('is what a second click on the code leads to, after the first was answered', async () => {
    const person = await story.createPerson();
    await requirePassword(person.account);
    const waiting = await story.reachStep(person.account);
    gateway.clock.advanceSeconds(60);
    const form = { ...waiting.fields, method: 'totp', code: person.app.code() };
    const own = { 'sec-fetch-site': 'same-origin' };
    for (let click = 0; click < 2; click += 1)
      expect((await waiting.browser.post(PATHS.mfaVerify, form, own)).location).toBe(taskAddress(waiting.challenge));
  });

  it('keeps the choice to trust this browser, and nobody can add it', async () => {
    const person = await story.createPerson();
    await requirePassword(person.account);
    const waiting = await story.reachStep(person.account);
    const answer = await prove(waiting, person, { trust_browser: 'true' });
    const task = await openTask(waiting.browser, waiting.challenge, answer.location ?? '');
    const done = await choose(task);
    expect(done.setCookies.map(({ name }) => name)).toContain('foyer-trusted');

    const other = await story.createPerson();
    await requirePassword(other.account);
    const code = { method: 'recovery', code: other.recoveryCodes[0] ?? '', trust_browser: 'true' };
    const recovering = await story.reachStep(other.account);
    const proven = await recovering.browser.post(PATHS.mfaVerify, { ...recovering.fields, ...code });
    expect(proven.location).toBe(taskAddress(recovering.challenge));
    const forged = await openTask(recovering.browser, recovering.challenge);
    const end = await choose(forged, NEW, { trust_browser: task.fields['trust_browser'] ?? '' });
    expect([end.status, end.setCookies.map(({ name }) => name)]).toEqual([303, expect.not.arrayContaining(['foyer-trusted'])]);
  });

  it('[S-122] comes after the factor in a trusted browser too', async () => {
    const person = await story.createPerson();
    const trusting = await story.reachStep(person.account);
    const { browser } = trusting;
    expect((await prove(trusting, person, { trust_browser: 'true' })).status).toBe(303);
    const trusted = await story.openLogin({ sessionId: `trusted-${(count += 1)}` }, browser);
    expect((await story.signIn(browser, trusted.fields, person.account)).location).toContain('login_verifier=');
    await requirePassword(person.account);
    const waiting = await story.reachStep(person.account, { sessionId: `trusted-${(count += 1)}` }, browser);
    const { challenge } = waiting;
    await expectEarlyRefusal(waiting);
    expect((await prove(waiting, person)).location).toBe(taskAddress(challenge));
    expect((await choose(await openTask(browser, challenge))).location).toContain('login_verifier=');
    expect(story.findAccepted(challenge)).toHaveLength(1);
  });

  it('[S-122] comes after the passkey, although the password alone signs in', async () => {
    const passkeys = new PasskeyStory(gateway);
    const passkey = await passkeys.createHolder();
    await requirePassword(passkey.account);
    const waiting = await story.reachStep(passkey.account);
    const { browser, challenge } = waiting;
    expect(waiting.state.view).toBe('passkey');
    await expectEarlyRefusal(waiting);
    expect((await passkeys.proveStep(waiting, passkey)).location).toBe(taskAddress(challenge));
    expect((await choose(await openTask(browser, challenge))).location).toContain('login_verifier=');
    expect(story.findAccepted(challenge)).toMatchObject([{ authentication: { amr: expect.arrayContaining(['pwd', 'pop']) } }]);
    expect((await signInWith(passkey.account, NEW)).answer.location).toContain('login_verifier=');
  });

  it('comes after a passkey that is created while the task waits', async () => {
    const account = await createAsked();
    const task = await reachTask(account);
    await new PasskeyStory(gateway).createHolder({ account });
    expect((await choose(task)).location).toBe(stepAddress(task.challenge));
    expect((await signInWith(account, NEW)).answer.status).toBe(422);
  });
});

describe('[TSK-4] a session of a person with a task', () => {
  async function openSession(account: Account) {
    const sessionId = `session-${(count += 1)}`;
    const opened = await story.openLogin({ sessionId });
    expect((await story.signIn(opened.browser, opened.fields, account)).status).toBe(303);
    return { browser: opened.browser, sessionId };
  }

  function askAgain(account: Account, sessionId: string, requestUrl = gateway.hydra.requestUrl({})): string {
    const challenge = `remembered-${(count += 1)}`;
    gateway.hydra.addLogin({ challenge, subject: account.id, sessionId, skip: true, requestUrl });
    return `${PATHS.login}?login_challenge=${challenge}`;
  }

  it('is not enough: the request starts again with a sign-in', async () => {
    const account = await gateway.account(`asked.${(count += 1)}`);
    const { browser, sessionId } = await openSession(account);
    expect((await browser.get(askAgain(account, sessionId))).location).toContain('login_verifier=');
    await requirePassword(account);
    const again = await browser.get(askAgain(account, sessionId));
    expect(new URL(again.location ?? '').searchParams.get('prompt')).toBe('login');
  });

  it('answers prompt=none with interaction_required', async () => {
    const account = await gateway.account(`asked.${(count += 1)}`);
    const { browser, sessionId } = await openSession(account);
    await requirePassword(account);
    await browser.get(askAgain(account, sessionId, gateway.hydra.requestUrl({ prompt: 'none' })));
    const rejection = { code: 'interaction_required' };
    expect(gateway.hydra.calls.at(-1)).toMatchObject({ call: 'rejectLogin', rejection });
  });
});

describe('[TSK-4] the request of a device', () => {
  const requestUrl = () => `${gateway.hydra.publicUrl}/oauth2/device/verify?user_code=WD7PKA4X&state=device-${(count += 1)}`;

  it('waits for the task', async () => {
    const task = await reachTask(await createAsked(), { requestUrl: requestUrl() });
    expect((await choose(task)).location).toContain('login_verifier=');
    expect(story.findAccepted(task.challenge)).toHaveLength(1);
  });

  it('is not continued in a session of a person with a task: the session ends, and the code is entered again', async () => {
    const account = await gateway.account(`asked.${(count += 1)}`);
    const { browser, sessionId } = await signInBrowser(gateway, { username: account.username });
    await requirePassword(account);
    const challenge = `device-${(count += 1)}`;
    const url = requestUrl();
    gateway.hydra.addLogin({ challenge, subject: account.id, sessionId, skip: true, requestUrl: url });
    const answer = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
    expect(answer.location).toContain('/oauth2/device/verify');
    expect(story.findAccepted(challenge)).toEqual([]);
    expect(gateway.hydra.calls).toContainEqual({ call: 'endLoginSession', sessionId });
  });
});

describe('[TSK-5] the older of two tabs', () => {
  it('does the task first, and then reaches its own request', async () => {
    const tabs = new TwoTabsStory(gateway);
    const account = await createAsked();
    const browser = gateway.browser();
    const older = await tabs.openOlder(browser);
    const answer = await tabs.submit(browser, older, account);
    expect(answer.location).toBe(taskAddress(older.challenge));
    const left = await choose(await openTask(browser, older.challenge));
    expect(left.location).toBe(older.requestUrl);
    const again = await tabs.openAgain(browser, older.requestUrl);
    expect(again.location).toContain('login_verifier=');
    expect(tabs.findAccepted(again.challenge)).toHaveLength(1);
  });
});
