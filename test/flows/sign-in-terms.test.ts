/** Terms that people accept between a proof and the app. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { TermsAcceptances } from '../../src/accounts/terms/terms-acceptances.js';
import { RequiredPasswords } from '../../src/accounts/password/required-password.js';
import type { Terms, TermsText } from '../../src/config/config.js';
import { PATHS } from '../../src/contract/paths.js';
import type { TaskState, TermsTaskState } from '../../src/contract/task-state.js';
import type { LoginRequest } from '../../src/hydra/hydra.port.js';
import { PasskeyStory } from '../support/passkeys.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { SecondStepStory, stepAddress } from '../support/second-step.js';
import { signInBrowser } from '../support/signed-in-browser.js';
import { buildTermsText } from '../support/terms-texts.js';
import type { TestBrowser, TestPage } from '../support/test-browser.js';
import { TwoTabsStory } from '../support/two-tabs.js';

const DAY_MS = 86_400_000;
const NEW = 'silber ahorn 7392';

/** The setting of the gateway; each test replaces its content. */
const terms: Terms[] = [];
let gateway: TestGateway;
let story: SecondStepStory;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway({ config: () => ({ terms }) });
  story = new SecondStepStory(gateway);
});

afterAll(() => gateway.close());

beforeEach(() => setTerms({}));

function toText(locale: string, title: string, rest = 'Be kind.'): TermsText {
  return buildTermsText(`${title}\n\n${rest}\n`, locale);
}

const ENGLISH = toText('en', 'Terms of use');
const GERMAN = toText('de', 'Nutzungsbedingungen', 'Seien Sie nett.');
const USE: Terms = { id: 'use', version: '1', texts: [ENGLISH, GERMAN] };

function setTerms(...changes: Partial<Terms>[]): void {
  terms.splice(0, terms.length, ...changes.map((change) => ({ ...USE, ...change })));
}

const addDays = (days: number): Date => new Date(gateway.clock.now().getTime() + days * DAY_MS);
const createPerson = (): Promise<Account> => gateway.account(`terms.${(count += 1)}`);
const taskAddress = (challenge: string): string => `${PATHS.loginTask}?login_challenge=${challenge}`;

interface OpenTask {
  browser: TestBrowser;
  challenge: string;
  state: TaskState;
  fields: Record<string, string>;
}

async function openTask(browser: TestBrowser, challenge: string, address = taskAddress(challenge)): Promise<OpenTask> {
  const { task: state } = (await browser.get(address)).state('task');
  return { browser, challenge, state, fields: toFields(state) };
}

function toFields(state: TaskState): Record<string, string> {
  const { xsrf_token: _xsrf, login_challenge, ticket, trust_browser } = state;
  const about = state.kind === 'terms' ? { task: `terms.${state.terms}`, terms_hash: state.terms_hash } : { task: state.kind };
  return { _xsrf, login_challenge, ticket, trust_browser, ...about };
}

/** Signs in with the password up to the terms. */
async function reachTerms(account: Account, more: Partial<LoginRequest> = {}, browser?: TestBrowser): Promise<OpenTask> {
  const opened = await story.openLogin(more, browser);
  const answer = await story.signIn(opened.browser, opened.fields, account);
  expect([answer.status, answer.location]).toEqual([303, taskAddress(opened.challenge)]);
  return openTask(opened.browser, opened.challenge);
}

function accept({ browser, fields }: OpenTask, more: Record<string, string> = {}): Promise<TestPage> {
  return browser.post(PATHS.loginTask, { ...fields, accepted: 'true', ...more });
}

const postpone = ({ browser, fields }: OpenTask): Promise<TestPage> =>
  browser.post(PATHS.loginTask, { ...fields, proceed: 'later' });
const cancel = ({ browser, fields }: OpenTask): Promise<TestPage> =>
  browser.post(PATHS.loginTask, { ...fields, proceed: 'cancel' });

/** Signs in with the password. @returns where it leads */
async function signIn(account: Account, more: Partial<LoginRequest> = {}): Promise<string> {
  const opened = await story.openLogin(more);
  return (await story.signIn(opened.browser, opened.fields, account)).location ?? '';
}

const readEvidence = ({ id }: Account) =>
  gateway.database.db.selectFrom('terms_acceptance').selectAll().where('account_id', '=', id).orderBy('id').execute();

async function listEvents({ id }: Account, kind: string) {
  return (await gateway.get(AuditLog).list(id)).entries.filter((entry) => entry.kind === kind);
}

const readShown = ({ state }: OpenTask): TermsTaskState => {
  if (state.kind !== 'terms') throw new Error(`The page shows ${state.kind}.`);
  return state;
};

describe('[TSK-12] terms', () => {
  it('are accepted on the way, once, and the person reaches the app', async () => {
    const account = await createPerson();
    const task = await reachTerms(account, {}, gateway.browser({ 'accept-language': 'en' }));
    expect(readShown(task)).toMatchObject({
      terms: 'use',
      title: 'Terms of use',
      text: ENGLISH.text,
      language: 'en',
      error: null,
    });
    expect(readShown(task)).not.toHaveProperty('later_until');
    expect(story.findAccepted(task.challenge)).toEqual([]);
    expect((await accept(task)).location).toContain('login_verifier=');
    expect(story.findAccepted(task.challenge)).toMatchObject([{ authentication: { amr: ['pwd'], subject: account.id } }]);
    expect(await signIn(account)).toContain('login_verifier=');
  });

  it('leave evidence: version, hash, language, app and time, the text as it was, and an event', async () => {
    const account = await createPerson();
    const task = await reachTerms(account, {}, gateway.browser({ 'accept-language': 'de' }));
    await accept(task);
    const client = (await listEvents(account, 'sign-in.ok'))[0]?.detail?.['client'];
    expect(await readEvidence(account)).toMatchObject([
      { terms_id: 'use', version: '1', sha256: GERMAN.sha256, locale: 'de', client_id: client, withdrawn_at: null },
    ]);
    const texts = await gateway.database.db.selectFrom('terms_text').select('text').where('sha256', '=', GERMAN.sha256).execute();
    expect(texts).toEqual([{ text: GERMAN.text }]);
    const [event] = await listEvents(account, 'terms.accepted');
    expect(event).toMatchObject({
      actor: 'person',
      detail: { terms: 'use', version: '1', sha256: GERMAN.sha256, language: 'de', client },
    });
    expect((await readEvidence(account))[0]?.request_id).toBe(event?.requestId);
  });

  it('are shown in English, or in the first language, if there is no text in the language of the page', async () => {
    const openFrenchBrowser = () => gateway.browser({ 'accept-language': 'fr' });
    expect(readShown(await reachTerms(await createPerson(), {}, openFrenchBrowser()))).toMatchObject({ language: 'en' });
    setTerms({ texts: [GERMAN] });
    expect(readShown(await reachTerms(await createPerson(), {}, openFrenchBrowser()))).toMatchObject({ language: 'de' });
  });

  it('are not accepted without the check mark', async () => {
    const account = await createPerson();
    const task = await reachTerms(account);
    const answer = await accept(task, { accepted: '' });
    expect([answer.status, answer.state('task').task.error]).toEqual([422, 'not-accepted']);
    expect(await readEvidence(account)).toEqual([]);
    expect((await accept(task)).location).toContain('login_verifier=');
  });

  it('are accepted once by a double click, and by two tabs', async () => {
    const account = await createPerson();
    const [task, other] = [await reachTerms(account), await reachTerms(account)];
    const [one, two] = await Promise.all([accept(task), accept(task)]);
    const three = await task.browser.post(
      PATHS.loginTask,
      { ...task.fields, accepted: 'true' },
      { 'sec-fetch-site': 'same-origin' },
    );
    expect([two.location, three.location]).toEqual([one.location, one.location]);
    expect(story.findAccepted(task.challenge)).toHaveLength(1);
    expect((await openTask(other.browser, other.challenge)).state.kind).toBe('none');
    expect((await accept(other)).location).toContain('login_verifier=');
    expect(await readEvidence(account)).toHaveLength(1);
    expect(await listEvents(account, 'terms.accepted')).toHaveLength(1);
  });

  it('are the text that the page has shown: after a change, the page shows the new text first', async () => {
    const account = await createPerson();
    const task = await reachTerms(account);
    const changed = toText('en', 'Terms of use', 'Be kind, always.');
    setTerms({ version: '2', texts: [changed] });
    const answer = await accept(task);
    expect([answer.status, answer.state('task').task]).toEqual([
      422,
      expect.objectContaining({ error: 'changed', text: changed.text }),
    ]);
    expect(await readEvidence(account)).toEqual([]);
    const again = { ...task, fields: toFields(answer.state('task').task) };
    expect((await accept(again)).location).toContain('login_verifier=');
    expect(await readEvidence(account)).toMatchObject([{ version: '2', sha256: changed.sha256 }]);
  });

  it('are asked again for a new version, and not for an earlier one that was accepted', async () => {
    const account = await createPerson();
    await accept(await reachTerms(account));
    setTerms({ version: '2' });
    await accept(await reachTerms(account));
    setTerms({ version: '1' });
    expect(await signIn(account)).toContain('login_verifier=');
  });

  it('cannot be left out, however the form is changed', async () => {
    const task = await reachTerms(await createPerson());
    const address = taskAddress(task.challenge);
    for (const kind of ['none', '', 'password', 'terms.other'])
      expect((await accept(task, { accepted: '', task: kind })).location).toBe(address);
    expect((await accept(task, { accepted: '' })).state('task').task.error).toBe('not-accepted');
    expect((await accept(task, { terms_hash: 'none' })).state('task').task.error).toBe('changed');
    expect((await postpone(task)).location).toBe(address);
    expect((await task.browser.get(address)).state('task').task.kind).toBe('terms');
    expect(story.findAccepted(task.challenge)).toEqual([]);
  });

  it('belong to the browser that gave the proof, and wait ten minutes', async () => {
    const account = await createPerson();
    const task = await reachTerms(account);
    const stranger = gateway.browser();
    const { login } = (await stranger.get(`${PATHS.login}?login_challenge=other`)).state('login');
    for (const proceed of ['', 'later', 'cancel']) {
      const form = { ...task.fields, _xsrf: login.xsrf_token, accepted: 'true', proceed };
      expect((await stranger.post(PATHS.loginTask, form)).status).toBe(400);
    }
    gateway.clock.advanceSeconds(11 * 60);
    const late = await accept(task);
    expect([late.status, late.state('login').login.challenge_fault]).toEqual([400, 'expired']);
    expect(await readEvidence(account)).toEqual([]);
  });

  it('are not accepted in a sign-in that ends after the form was sent', async () => {
    const account = await createPerson();
    const task = await reachTerms(account);
    const acceptances = gateway.get(TermsAcceptances);
    const spy = jest.spyOn(acceptances, 'accept').mockImplementationOnce(async (...given) => {
      const ended = { proof_until: gateway.clock.now() };
      await gateway.database.db.updateTable('sign_in').set(ended).where('account_id', '=', account.id).execute();
      return TermsAcceptances.prototype.accept.apply(acceptances, given);
    });
    try {
      const late = await accept(task);
      expect([late.status, late.state('login').login.challenge_fault]).toEqual([400, 'expired']);
      expect(await readEvidence(account)).toEqual([]);
    } finally {
      spy.mockRestore();
    }
  });

  it('are asked only for their clients, and from their time on', async () => {
    const account = await createPerson();
    setTerms({ clients: ['another'] }, { id: 'next', from: addDays(1) });
    expect(await signIn(account)).toContain('login_verifier=');
    gateway.clock.advanceSeconds(86_401);
    expect(readShown(await reachTerms(account)).terms).toBe('next');
  });
});

describe('[TSK-13] terms that may be postponed', () => {
  it('are asked again at the next sign-in, until the time is over', async () => {
    const account = await createPerson();
    setTerms({ laterUntil: addDays(1) });
    const task = await reachTerms(account);
    expect(readShown(task).later_until).toBe(terms[0]?.laterUntil?.toISOString());
    expect((await postpone(task)).location).toContain('login_verifier=');
    expect(story.findAccepted(task.challenge)).toHaveLength(1);
    expect(await readEvidence(account)).toEqual([]);
    gateway.clock.advanceSeconds(86_401);
    const last = await reachTerms(account);
    expect(readShown(last)).not.toHaveProperty('later_until');
    expect((await postpone(last)).location).toBe(taskAddress(last.challenge));
  });

  it('stay postponed while other terms and a new password are still to be done', async () => {
    const account = await createPerson();
    gateway.clock.advanceSeconds(60);
    await gateway.get(RequiredPasswords).require(account, { actor: 'operator' });
    setTerms({ laterUntil: addDays(1) }, { id: 'privacy', texts: [toText('en', 'Privacy')] });
    const task = await reachTerms(account);
    const next = await postpone(task);
    const privacy = await openTask(task.browser, task.challenge, next.location ?? '');
    expect(readShown(privacy).terms).toBe('privacy');
    const password = await openTask(task.browser, task.challenge, (await accept(privacy)).location ?? '');
    expect(password.state.kind).toBe('password');
    gateway.clock.advanceSeconds(60);
    const form = { ...password.fields, password: NEW, password_repeat: NEW };
    expect((await task.browser.post(PATHS.loginTask, form)).location).toContain('login_verifier=');
    expect((await readEvidence(account)).map(({ terms_id: id }) => id)).toEqual(['privacy']);
  });
});

describe('[TSK-14] cancelling', () => {
  it('sends the person back to the app with access_denied, once, and records it', async () => {
    const account = await createPerson();
    const task = await reachTerms(account);
    const [one, two] = await Promise.all([cancel(task), cancel(task)]);
    expect([one.status, two.location]).toEqual([303, one.location]);
    const rejections = gateway.hydra.calls.filter((call) => call.call === 'rejectLogin' && call.challenge === task.challenge);
    expect(rejections).toMatchObject([{ rejection: { code: 'access_denied' } }]);
    expect(await listEvents(account, 'sign-in.refused')).toMatchObject([{ detail: { reason: 'declined' } }]);
    expect(await readEvidence(account)).toEqual([]);
  });

  it('of a device leads to the page that says so', async () => {
    const requestUrl = `${gateway.hydra.publicUrl}/oauth2/device/verify?user_code=WD7PKA4X&state=device-${(count += 1)}`;
    const task = await reachTerms(await createPerson(), { requestUrl });
    expect((await cancel(task)).location).toBe(`${PATHS.deviceDenied}?status=denied`);
    const other = await reachTerms(await createPerson(), { requestUrl: `${requestUrl}b` });
    expect((await accept(other)).location).toContain('login_verifier=');
  });

  it('is for terms only', async () => {
    const account = await createPerson();
    setTerms();
    gateway.clock.advanceSeconds(60);
    await gateway.get(RequiredPasswords).require(account, { actor: 'operator' });
    const opened = await story.openLogin();
    await story.signIn(opened.browser, opened.fields, account);
    const password = await openTask(opened.browser, opened.challenge);
    expect((await cancel(password)).state('task').task.kind).toBe('password');
  });
});

describe('[TSK-15] terms and other proofs', () => {
  it('come after the second factor', async () => {
    const person = await story.createPerson();
    const waiting = await story.reachStep(person.account);
    const { browser, challenge } = waiting;
    expect((await browser.get(taskAddress(challenge))).location).toBe(stepAddress(challenge));
    const early = await browser.post(PATHS.loginTask, {
      ...waiting.fields,
      task: 'terms.use',
      terms_hash: ENGLISH.sha256,
      accepted: 'true',
    });
    expect(early.location).toBe(stepAddress(challenge));
    expect(await readEvidence(person.account)).toEqual([]);
    const form = { ...waiting.fields, method: 'totp', code: person.app.code(), trust_browser: 'true' };
    const proven = await browser.post(PATHS.mfaVerify, form);
    const task = await openTask(browser, challenge, proven.location ?? '');
    expect((await browser.get(stepAddress(challenge))).location).toBe(taskAddress(challenge));
    const done = await accept(task);
    expect(done.location).toContain('login_verifier=');
    expect(done.setCookies.map(({ name }) => name)).toContain('foyer-trusted');
    expect(story.findAccepted(challenge)).toMatchObject([{ authentication: { amr: expect.arrayContaining(['pwd', 'otp']) } }]);

    // A trusted browser is enough for the terms, as it is for the sign-in.
    setTerms({ version: '2' });
    const again = await reachTerms(person.account, { sessionId: `terms-${(count += 1)}` }, browser);
    expect((await browser.get(stepAddress(again.challenge))).location).toBe(taskAddress(again.challenge));
    expect((await accept(again)).location).toContain('login_verifier=');
    expect(story.findAccepted(again.challenge)).toMatchObject([{ authentication: { amr: ['pwd'] } }]);
  });

  it('come after a passkey', async () => {
    const passkeys = new PasskeyStory(gateway);
    const passkey = await passkeys.createHolder();
    const { browser, challenge, page, accepted } = await passkeys.signIn(passkey);
    expect([page.location, accepted]).toEqual([taskAddress(challenge), undefined]);
    expect((await accept(await openTask(browser, challenge))).location).toContain('login_verifier=');
  });

  it('come before the older of two tabs reaches its own request', async () => {
    const tabs = new TwoTabsStory(gateway);
    const account = await createPerson();
    const browser = gateway.browser();
    const older = await tabs.openOlder(browser);
    expect((await tabs.submit(browser, older, account)).location).toBe(taskAddress(older.challenge));
    const left = await accept(await openTask(browser, older.challenge));
    expect(left.location).toBe(older.requestUrl);
    expect((await tabs.openAgain(browser, older.requestUrl)).location).toContain('login_verifier=');
  });

  it('that the older of two tabs has postponed are not asked a second time', async () => {
    setTerms({ laterUntil: addDays(1) });
    const tabs = new TwoTabsStory(gateway);
    const browser = gateway.browser();
    const older = await tabs.openOlder(browser);
    await tabs.submit(browser, older, await createPerson());
    expect((await postpone(await openTask(browser, older.challenge))).location).toBe(older.requestUrl);
    expect((await tabs.openAgain(browser, older.requestUrl)).location).toContain('login_verifier=');
  });
});

describe('[TSK-16] a session of a person who has not accepted the terms', () => {
  async function openSession() {
    const account = await createPerson();
    setTerms();
    const session = await signInBrowser(gateway, { username: account.username });
    return { account, ...session };
  }

  type Session = Awaited<ReturnType<typeof openSession>>;

  function ask({ account, sessionId, browser }: Session, requestUrl = gateway.hydra.requestUrl({})): Promise<TestPage> {
    const challenge = `remembered-${(count += 1)}`;
    gateway.hydra.addLogin({ challenge, subject: account.id, sessionId, skip: true, requestUrl });
    return browser.get(`${PATHS.login}?login_challenge=${challenge}`);
  }

  const findPrompt = ({ location }: TestPage) => new URL(location ?? '').searchParams.get('prompt');

  it('is not enough: the request starts again with a sign-in', async () => {
    const session = await openSession();
    setTerms({});
    expect(findPrompt(await ask(session))).toBe('login');
  });

  it('is enough for another client, and while the terms may be postponed', async () => {
    const session = await openSession();
    setTerms({ clients: ['another'] });
    expect((await ask(session)).location).toContain('login_verifier=');
    setTerms({ laterUntil: addDays(1) });
    expect((await ask(session)).location).toContain('login_verifier=');
    setTerms({ laterUntil: addDays(0) });
    expect(findPrompt(await ask(session))).toBe('login');
  });

  it('answers prompt=none with interaction_required', async () => {
    const session = await openSession();
    setTerms({});
    await ask(session, gateway.hydra.requestUrl({ prompt: 'none' }));
    expect(gateway.hydra.calls.at(-1)).toMatchObject({ call: 'rejectLogin', rejection: { code: 'interaction_required' } });
  });

  it('ends before a device continues in it', async () => {
    const session = await openSession();
    setTerms({});
    const url = `${gateway.hydra.publicUrl}/oauth2/device/verify?user_code=WD7PKA4X&state=device-${(count += 1)}`;
    expect((await ask(session, url)).location).toContain('/oauth2/device/verify');
    expect(gateway.hydra.calls).toContainEqual({ call: 'endLoginSession', sessionId: session.sessionId });
  });
});
