/** The task of proving an e-mail address (`EMAIL_PROOF`), before and after the day from which it cannot be postponed. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { Keys } from '../../src/config/keys.js';
import { PATHS } from '../../src/contract/paths.js';
import type { EmailTaskState } from '../../src/contract/task-state.js';
import type { LoginRequest } from '../../src/hydra/hydra.port.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser } from '../support/manage.js';
import { EmailStory } from '../support/own-email.js';
import { PasskeyStory } from '../support/passkeys.js';
import { SecondStepStory, stepAddress } from '../support/second-step.js';
import type { TestBrowser, TestPage } from '../support/test-browser.js';
import { TwoTabsStory } from '../support/two-tabs.js';

const DUE = new Date('2026-12-08T00:00:00Z');

let gateway: TestGateway;
let story: SecondStepStory;
let emails: EmailStory;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway({
    config: ({ tasks }) => ({ tasks: { ...tasks, emailProof: 'required', emailProofFrom: DUE } }),
  });
  gateway.clock.advanceSeconds((Date.parse('2026-12-01T12:00:00Z') - gateway.clock.now().getTime()) / 1000);
  story = new SecondStepStory(gateway);
  emails = new EmailStory(gateway);
});

afterAll(() => gateway.close());

const taskAddress = (challenge: string): string => `${PATHS.loginTask}?login_challenge=${challenge}`;
const createPerson = (email: string | null = emails.address()) =>
  gateway.account(`unproven.${(count += 1)}`, email === null ? {} : { email });
const findAccount = async ({ id }: Account) => gateway.get(Accounts).find(id);

interface Task {
  browser: TestBrowser;
  challenge: string;
  state: EmailTaskState;
  fields: Record<string, string>;
}

async function openTask(browser: TestBrowser, challenge: string, query = ''): Promise<Task> {
  const { task: state } = (await browser.get(taskAddress(challenge) + query)).state('task');
  if (state.kind !== 'email') throw new Error(`The task is ${state.kind}`);
  const { xsrf_token: _xsrf, login_challenge, ticket, kind: task } = state;
  return { browser, challenge, state, fields: { _xsrf, login_challenge, ticket, task } };
}

async function reachTask(account: Account, more: Partial<LoginRequest> = {}, browser?: TestBrowser): Promise<Task> {
  const opened = await story.openLogin(more, browser);
  const answer = await story.signIn(opened.browser, opened.fields, account);
  expect([answer.status, answer.location]).toEqual([303, taskAddress(opened.challenge)]);
  return openTask(opened.browser, opened.challenge);
}

const post = ({ browser, fields }: Task, more: Record<string, string>): Promise<TestPage> =>
  browser.post(PATHS.loginTask, { ...fields, ...more });
const postpone = (task: Task): Promise<TestPage> => post(task, { proceed: 'later' });

async function send(task: Task, email: string): Promise<Task> {
  const sent = await post(task, { email });
  expect([sent.status, sent.location]).toEqual([303, taskAddress(task.challenge)]);
  return openTask(task.browser, task.challenge);
}

async function proveAddress(task: Task, email: string): Promise<TestPage> {
  return post(await send(task, email), { code: await emails.findCode(email) });
}

function askAgain(account: Account, sessionId: string, requestUrl = gateway.hydra.requestUrl({})): string {
  const challenge = `again-${(count += 1)}`;
  gateway.hydra.addLogin({ challenge, subject: account.id, sessionId, skip: true, requestUrl });
  return `${PATHS.login}?login_challenge=${challenge}`;
}

describe('[TSK-30] the proof of an address', () => {
  it('is made on the way with a mailed code, once, and the person reaches the app', async () => {
    const email = emails.address();
    const account = await createPerson(email);
    const task = await reachTask(account);
    expect(task.state).toMatchObject({ email, error: null, later_until: DUE.toISOString() });
    const asked = await send(task, email);
    expect(asked.state).toMatchObject({ sent_to: email, other_url: expect.stringContaining('status=ask') });
    expect((await openTask(task.browser, task.challenge, '&status=ask')).state).not.toHaveProperty('sent_to');
    const done = await post(asked, { code: await emails.findCode(email) });
    expect(done.location).toContain('login_verifier=');
    expect(story.findAccepted(task.challenge)).toMatchObject([{ authentication: { amr: ['pwd'] } }]);
    expect(await findAccount(account)).toMatchObject({ email, emailVerified: true });
    const [event] = (await gateway.get(AuditLog).list(account.id)).entries.filter(({ kind }) => kind === 'account.changed');
    expect(event).toMatchObject({ actor: 'person', detail: { fields: ['emailVerified'] } });
    const next = await story.openLogin();
    expect((await story.signIn(next.browser, next.fields, account)).location).toContain('login_verifier=');
  });

  it('asks for an address if the account has none, or for another one, and tells the former address', async () => {
    const [former, wanted] = [emails.address(), emails.address()];
    const account = await createPerson(former);
    expect((await proveAddress(await reachTask(account), wanted)).location).toContain('login_verifier=');
    expect(await findAccount(account)).toMatchObject({ email: wanted, emailVerified: true });
    expect((await emails.listMails(former)).map(({ kind }) => kind)).toContain('own-email-changed');

    const none = await createPerson(null);
    const task = await reachTask(none);
    expect(task.state.email).toBe('');
    const own = emails.address();
    expect((await proveAddress(task, own)).location).toContain('login_verifier=');
    expect(await findAccount(none)).toMatchObject({ email: own, emailVerified: true });
  });

  it.each([
    ['', 'email is empty'],
    ['nobody', 'email is invalid'],
  ])('refuses the address %j: %s', async (email, error) => {
    const answer = await post(await reachTask(await createPerson()), { email });
    expect([answer.status, answer.state('task').task.error]).toEqual([422, error]);
  });

  it('does not count an empty code', async () => {
    const email = emails.address();
    const task = await send(await reachTask(await createPerson(email)), email);
    const code = await emails.findCode(email);
    for (const empty of ['', ' ', '', '', '', '']) {
      const answer = await post(await openTask(task.browser, task.challenge), { code: empty });
      expect([answer.status, answer.state('task').task.error]).toEqual([422, 'invalid verification code']);
    }
    expect((await post(task, { code })).location).toContain('login_verifier=');
  });

  it('refuses wrong codes, and every code after five', async () => {
    const email = emails.address();
    const account = await createPerson(email);
    const task = await send(await reachTask(account), email);
    const code = await emails.findCode(email);
    const wrong = code === '000000' ? '111111' : '000000';
    for (let tries = 0; tries < 5; tries += 1) {
      const answer = await post(await openTask(task.browser, task.challenge), { code: wrong });
      expect([answer.status, answer.state('task').task.error]).toEqual([422, 'invalid verification code']);
    }
    const late = await post(task, { code });
    expect([late.status, late.state('task').task.error]).toEqual([422, 'session expired']);
    expect(await findAccount(account)).toMatchObject({ emailVerified: false });
    expect(story.findAccepted(task.challenge)).toEqual([]);
  });

  it('says the same for an address of somebody else, whose owner alone can end it', async () => {
    const taken = emails.address();
    await gateway.account(`owner.${(count += 1)}`, { email: taken, emailVerified: true });
    const task = await reachTask(await createPerson());
    const asked = await send(task, taken);
    const free = await send(await reachTask(await createPerson()), emails.address());
    const { sent_to: _taken, ...shown } = asked.state;
    const { sent_to: _free, ...expected } = free.state;
    expect(Object.keys(shown).sort()).toEqual(Object.keys(expected).sort());
    expect(shown.error).toBe(expected.error);
  });

  it('limits the mails, and says how long to wait', async () => {
    const task = await reachTask(await createPerson());
    for (let mails = 0; mails < 5; mails += 1) await send(task, emails.address());
    const answer = await post(task, { email: emails.address() });
    const { task: state } = answer.state('task');
    expect([answer.status, state.error]).toEqual([429, 'too many requests']);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('[EML-2] [S-133] limits the wrong codes of all sign-ins together, and says how long to wait', async () => {
    const email = emails.address();
    const task = await send(await reachTask(await createPerson()), email);
    const code = await emails.findCode(email);
    const full = { failures: 1000, window_until: new Date(gateway.clock.now().getTime() + 1_800_000) };
    const expires_at = full.window_until;
    const key = `r:${gateway.get(Keys).mac('limits', 'email-change-code installation')}`;
    const { db } = gateway.database;
    await db
      .insertInto('attempt_counter')
      .values({ key, expires_at, ...full })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(full))
      .execute();
    const answer = await post(task, { code });
    await db.deleteFrom('attempt_counter').where('key', '=', key).execute();
    const { task: state } = answer.state('task');
    expect([answer.status, state]).toMatchObject([429, { error: 'too many requests', sent_to: email }]);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await post(task, { code })).location).toContain('login_verifier=');
  });

  it('is refused while credentials are frozen', async () => {
    const account = await createPerson();
    const task = await reachTask(account);
    const email = emails.address();
    const asked = await send(task, email);
    const credentials_frozen_until = new Date(gateway.clock.now().getTime() + 3_600_000);
    await gateway.database.db.updateTable('account').set({ credentials_frozen_until }).where('id', '=', account.id).execute();
    const answer = await post(asked, { code: await emails.findCode(email) });
    expect([answer.status, answer.state('task').task.error]).toEqual([422, 'credentials frozen']);
    expect(await findAccount(account)).toMatchObject({ emailVerified: false });
  });

  it('is announced in the account area', async () => {
    const account = await gateway.account(`unproven.${(count += 1)}`, { email: emails.address(), emailVerified: true });
    const user = await ManageUser.enter(gateway, { account, fresh: true });
    await gateway.get(Accounts).update(account.id, { emailVerified: false });
    const readAnnounced = async () => (await user.page(PATHS.manage, 'manage')).manage.email_required;
    expect(await readAnnounced()).toEqual({ later_until: DUE.toISOString() });
    await emails.change(user, emails.address());
    expect(await readAnnounced()).toBeUndefined();
  });
});

describe('[TSK-31] the proof of an address and other proofs', () => {
  it('comes after the second factor, which a trusted browser does not replace', async () => {
    const { account, app } = await story.createPerson();
    const waiting = await story.reachStep(account);
    const { browser, challenge, fields } = waiting;
    expect((await browser.get(taskAddress(challenge))).location).toBe(stepAddress(challenge));
    const early = await browser.post(PATHS.loginTask, { ...fields, task: 'email', email: emails.address() });
    expect(early.location).toBe(stepAddress(challenge));
    const late = await browser.post(PATHS.loginTask, { ...fields, task: 'email', proceed: 'later' });
    expect(late.location).toBe(stepAddress(challenge));
    gateway.clock.advanceSeconds(60);
    const proven = await browser.post(PATHS.mfaVerify, { ...fields, method: 'totp', code: app.code(), trust_browser: 'true' });
    const address = proven.location ?? '';
    const { task: state } = (await browser.get(address)).state('task');
    const form = { _xsrf: state.xsrf_token, login_challenge: challenge, task: 'email', trust_browser: state.trust_browser };
    const done = await browser.post(PATHS.loginTask, { ...form, proceed: 'later' });
    expect(done.setCookies.map(({ name }) => name)).toContain('foyer-trusted');
    const again = await story.openLogin({ sessionId: `trusted-${(count += 1)}` }, browser);
    expect((await story.signIn(browser, again.fields, account)).location).toBe(stepAddress(again.challenge));
  });

  it('comes after the passkey of the account, although the password alone signs in', async () => {
    const passkeys = new PasskeyStory(gateway);
    const passkey = await passkeys.createHolder();
    const waiting = await story.reachStep(passkey.account);
    expect((await passkeys.proveStep(waiting, passkey)).location).toBe(taskAddress(waiting.challenge));
  });

  it('is not asked of an account of a source', async () => {
    const account = await createPerson();
    const now = gateway.clock.now();
    const link = { account_id: account.id, source: 'staff', subject: account.id, profile: '', connected_at: now, seen_at: now };
    await gateway.database.db.insertInto('source_account').values(link).execute();
    expect(await findAccount(account)).toMatchObject({ hasSource: true });
    await gateway.database.db.deleteFrom('source_account').where('account_id', '=', account.id).execute();
    expect(await findAccount(account)).not.toHaveProperty('hasSource');
    await reachTask(account);
  });

  it('ends when the sign-in is over or the password is replaced', async () => {
    const account = await createPerson();
    const task = await reachTask(account);
    gateway.clock.advanceSeconds(11 * 60);
    const answer = await post(task, { email: emails.address() });
    expect([answer.status, answer.state('login').login.challenge_fault]).toEqual([400, 'expired']);
  });
});

describe('[TSK-32] postponing the proof of an address', () => {
  it('reaches the app, and is asked again at the next sign-in, but not in the session', async () => {
    const account = await createPerson();
    const sessionId = `session-${(count += 1)}`;
    const task = await reachTask(account, { sessionId });
    expect((await postpone(task)).location).toContain('login_verifier=');
    expect(story.findAccepted(task.challenge)).toHaveLength(1);
    expect((await task.browser.get(askAgain(account, sessionId))).location).toContain('login_verifier=');
    expect((await reachTask(account)).state.later_until).toBe(DUE.toISOString());
  });

  it('gives both clicks of a double click one answer', async () => {
    const task = await reachTask(await createPerson());
    const [one, two] = await Promise.all([postpone(task), postpone(task)]);
    expect(one.location).toContain('login_verifier=');
    expect(two.location).toBe(one.location);
    expect(story.findAccepted(task.challenge)).toHaveLength(1);
  });

  it('works in the older of two tabs, also after the request has started again', async () => {
    const tabs = new TwoTabsStory(gateway);
    const account = await createPerson();
    const browser = gateway.browser();
    const older = await tabs.openOlder(browser);
    expect((await tabs.submit(browser, older, account)).location).toBe(taskAddress(older.challenge));
    const left = await postpone(await openTask(browser, older.challenge));
    expect(left.location).toBe(older.requestUrl);
    expect((await tabs.openAgain(browser, older.requestUrl)).location).toContain('login_verifier=');
  });

  it('waits for a device too', async () => {
    const requestUrl = `${gateway.hydra.publicUrl}/oauth2/device/verify?user_code=WD7PKA4X&state=device-${(count += 1)}`;
    const task = await reachTask(await createPerson(), { requestUrl });
    expect((await postpone(task)).location).toContain('login_verifier=');
  });

  it('is over on the day, also for a page that is open and for a session, and prompt=none says so', async () => {
    const account = await createPerson();
    const sessionId = `session-${(count += 1)}`;
    gateway.clock.advanceSeconds((DUE.getTime() - gateway.clock.now().getTime()) / 1000 - 300);
    const postponed = await reachTask(account, { sessionId });
    await postpone(postponed);
    const open = await reachTask(account);
    gateway.clock.advanceSeconds(300);
    const refused = await postpone(open);
    expect([refused.status, refused.location]).toEqual([303, taskAddress(open.challenge)]);
    expect((await openTask(open.browser, open.challenge)).state).not.toHaveProperty('later_until');
    expect(story.findAccepted(open.challenge)).toEqual([]);
    const again = await postponed.browser.get(askAgain(account, sessionId));
    expect(new URL(again.location ?? '').searchParams.get('prompt')).toBe('login');
    await postponed.browser.get(askAgain(account, sessionId, gateway.hydra.requestUrl({ prompt: 'none' })));
    expect(gateway.hydra.calls.at(-1)).toMatchObject({ call: 'rejectLogin', rejection: { code: 'interaction_required' } });
    const email = emails.address();
    expect((await proveAddress(open, email)).location).toContain('login_verifier=');
  });
});
