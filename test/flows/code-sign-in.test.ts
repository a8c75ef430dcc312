/** Signing in with a code by mail (`CODE_SIGN_IN`), over HTTP: what people do, and what somebody else would try with it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import { SignInCodes } from '../../src/accounts/secrets/sign-in-codes.js';
import { FACTOR_PATHS } from '../../src/contract/factor-paths.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { RequestedMails } from '../../src/flows/sign-in/requested-mails.js';
import type { LoginRequest } from '../../src/hydra/hydra.port.js';
import { FakeUserSource } from '../../src/sources/fake-user-source.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser, newPerson } from '../support/manage.js';
import { MailedCodeStory, toCodeUrl, type OpenedRequest } from '../support/mailed-codes.js';
import { PasskeyStory } from '../support/passkeys.js';
import { SecondStepStory, call, loginFields, stepAddress } from '../support/second-step.js';
import type { TestBrowser, TestPage } from '../support/test-browser.js';

const HOUR = 3600;
/** The headers that a browser sends with a form of a page of Foyer. */
const OWN = { 'sec-fetch-site': 'same-origin' };

let gateway: TestGateway;
let staff: FakeUserSource;
let steps: SecondStepStory;
let story: MailedCodeStory;
let count = 0;

beforeAll(async () => {
  staff = new FakeUserSource('staff');
  gateway = await startTestGateway({
    sources: [staff],
    config: ({ limits, login, mfa }) => ({
      limits: { ...limits, addressFailures: 10_000, accountFreeFailures: 8 },
      login: { ...login, codes: 'on', byEmail: true },
      mfa: { ...mfa, numericAcr: true, factors: ['totp', 'fido2', 'email-code'] },
    }),
  });
  steps = new SecondStepStory(gateway);
  story = new MailedCodeStory(gateway);
});

afterAll(() => gateway.close());

const person = (more: Parameters<TestGateway['account']>[1] = {}): Promise<Account> =>
  newPerson(gateway, { email: `code${(count += 1)}@example.org`, emailVerified: true, ...more });

const read = (page: TestPage) => page.state('mailed_code').mailed_code;
function toError(page: TestPage) {
  const shown = read(page);
  return [page.status, shown.status, 'error' in shown ? shown.error : undefined];
}

async function openLogin(
  request: Partial<LoginRequest> = {},
  browser = gateway.browser(),
): Promise<OpenedRequest & { page: TestPage }> {
  const challenge = request.challenge ?? `code-${(count += 1)}`;
  gateway.hydra.addLogin({ ...request, challenge });
  return { browser, challenge, page: await browser.get(`${PATHS.login}?login_challenge=${challenge}`) };
}

const readFields = (opened: OpenedRequest, query = '') => story.readFields(opened, query);
const ask = (opened: OpenedRequest, username: string) => story.ask(opened, username);
const enter = (opened: OpenedRequest, code: string) => story.enter(opened, code);
const listMails = () => story.listMails();
const readCode = () => story.readCode();

/** Requests a code for a name in a new request. @returns the code, too */
async function request(
  username: string,
  login: Partial<LoginRequest> = {},
  browser?: TestBrowser,
): Promise<OpenedRequest & { code: string }> {
  const opened = await openLogin(login, browser);
  expect((await ask(opened, username)).location).toBe(toCodeUrl(opened.challenge));
  return { ...opened, code: await readCode() };
}

const findAccepted = (challenge: string) =>
  gateway.hydra.calls.filter((made) => made.call === 'acceptLogin' && made.challenge === challenge);
const findEvents = async ({ id }: Account) =>
  (await gateway.get(AuditLog).list(id)).entries.map(({ kind, detail }) => [kind, detail ?? {}] as const);
const toOther = (code: string, step = 1) => String((Number(code) + step) % 1_000_000).padStart(6, '0');

/** What somebody who asks for a code can see, without the values that are new each time. */
function toVisible({ status, location, headers, setCookies, html }: TestPage, { challenge }: OpenedRequest): unknown {
  const varying = ['date', 'x-request-id', 'set-cookie', 'keep-alive', 'content-length', 'etag'];
  const rest = [...headers]
    .filter(([name]) => !varying.includes(name))
    .map(([name, value]) => [name, value.replaceAll(challenge, '')]);
  return {
    status,
    location: location?.replace(challenge, ''),
    length: html.length,
    rest,
    cookies: setCookies.map(({ name }) => name),
  };
}

describe('[MCS-1] signing in with a code by mail', () => {
  it('is offered on the login page, and reaches the app with `amr` mail and an `acr` below a password', async () => {
    const account = await person();
    const login = await openLogin({ loginHint: account.username });
    expect(login.page.state('login').login.code_url).toBe(toCodeUrl(login.challenge));
    expect(login.page.html).toContain(toCodeUrl(login.challenge));
    const form = read(await login.browser.get(toCodeUrl(login.challenge)));
    expect(form).toMatchObject({ status: 'ask', username: account.username, by_email: true });
    await ask(login, account.username);
    const [mail] = await listMails();
    expect(mail).toMatchObject({ kind: 'sign-in-code', recipient: account.email });
    const code = String(mail?.values['code']);
    const answer = await enter(login, `${code.slice(0, 3)} ${code.slice(3)}`);
    expect(answer.status).toBe(303);
    expect(findAccepted(login.challenge)).toMatchObject([
      { authentication: { subject: account.id, amr: ['mail'], acr: 'urn:foyer:acr:mail' } },
    ]);
    expect(await findEvents(account)).toEqual(
      expect.arrayContaining([
        ['sign-in-code.asked', { mailed: true }],
        ['sign-in-code.ok', {}],
        ['sign-in.ok', expect.objectContaining({ amr: ['mail'] })],
      ]),
    );
  });

  it('takes a verified address for a name, and a person without a password', async () => {
    const account = await person();
    await gateway.database.db.deleteFrom('password_credential').where('account_id', '=', account.id).execute();
    const opened = await request(account.email ?? '');
    expect((await enter(opened, opened.code)).status).toBe(303);
    expect(findAccepted(opened.challenge)).toHaveLength(1);
  });

  it('sends another code for the same name, which makes the first one void, and lets the name be changed', async () => {
    const account = await person();
    const opened = await request(account.username);
    const again = await opened.browser.post(PATHS.loginCode, await readFields(opened));
    expect(again.location).toBe(toCodeUrl(opened.challenge));
    const newer = await readCode();
    if (newer !== opened.code)
      expect(toError(await enter(opened, opened.code))).toEqual([422, 'code', 'invalid verification code']);
    expect(read(await opened.browser.get(`${toCodeUrl(opened.challenge)}&status=ask`)).status).toBe('ask');
    expect((await enter(opened, newer)).status).toBe(303);
  });

  it('gives a double click one answer, and another form of an answered request the page for a used one', async () => {
    const opened = await request((await person()).username);
    const fields = { ...(await readFields(opened)), code: opened.code };
    const { browser } = opened;
    const answers = await Promise.all([browser.twin(), browser.twin()].map((twin) => twin.post(PATHS.loginCode, fields)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(answers[0]?.location).toBe(answers[1]?.location);
    expect(findAccepted(opened.challenge)).toHaveLength(1);
    const late = await opened.browser.post(PATHS.loginCode, { ...fields, code: toOther(opened.code) }, OWN);
    expect([late.status, late.state('login').login.challenge_fault]).toEqual([400, 'used']);
  });

  it('leads a second click to the second factor too, after the first was answered', async () => {
    const { account } = await steps.createPerson();
    await gateway
      .get(Accounts)
      .update(account.id, { email: `totp${account.id}@example.org`, emailVerified: true }, { actor: 'operator' });
    const opened = await request(account.username);
    const fields = { ...(await readFields(opened)), code: opened.code };
    const post = async () => (await opened.browser.post(PATHS.loginCode, fields, OWN)).location;
    expect([await post(), await post()]).toEqual(Array(2).fill(stepAddress(opened.challenge)));
  });

  it('sends one mail for a double click', async () => {
    const opened = await openLogin();
    const fields = { ...(await readFields(opened)), username: (await person()).username };
    const { browser } = opened;
    await Promise.all([browser.twin(), browser.twin()].map((twin) => twin.post(PATHS.loginCode, fields)));
    expect(await listMails()).toHaveLength(1);
  });

  it('says on the form what is missing, and shows an outdated form again without doing anything', async () => {
    const account = await person();
    const opened = await openLogin();
    expect(toError(await ask(opened, ' '))).toEqual([422, 'ask', 'empty-username']);
    const outdated = { ...(await readFields(opened)), _xsrf: 'outdated' };
    const { browser } = opened;
    expect(toError(await browser.post(PATHS.loginCode, { ...outdated, username: account.username }, OWN))).toEqual([
      403,
      'ask',
      'stale',
    ]);
    expect(await listMails()).toEqual([]);
    await ask(opened, account.username);
    const code = await readCode();
    expect(toError(await browser.post(PATHS.loginCode, { ...outdated, code }, OWN))).toEqual([403, 'code', 'stale']);
    expect((await browser.post(PATHS.loginCode, { login_challenge: opened.challenge, code })).status).toBe(403);
    expect(toError(await enter(opened, ' '))).toEqual([422, 'code', 'invalid verification code']);
    expect((await enter(opened, code)).status).toBe(303);
  });

  it('takes the form of a tab that is older than a sign-in in another tab', async () => {
    const [account, other] = [await person(), await person()];
    const opened = await request(account.username);
    const fields = { ...(await readFields(opened)), code: opened.code };
    const tab = await openLogin({}, opened.browser);
    await opened.browser.post(PATHS.loginNative, { ...loginFields(tab.page), username: other.username, password: PASSWORD });
    // The client has a newer request, so the proof is carried to a new start of this one.
    const answer = await opened.browser.post(PATHS.loginCode, fields, OWN);
    expect([answer.status, answer.location]).toEqual([303, expect.stringContaining('/oauth2/auth')]);
    expect((await findEvents(account)).map(([kind]) => kind)).toContain('sign-in-code.ok');
  });

  it('offers a new start when the code arrives after the request has expired at Hydra', async () => {
    const opened = await request((await person()).username);
    const fields = { ...(await readFields(opened)), code: opened.code };
    gateway.hydra.expire(opened.challenge);
    gateway.clock.advanceSeconds(601);
    const page = await opened.browser.post(PATHS.loginCode, fields);
    expect([page.status, page.state('login').login.challenge_fault]).toEqual([400, 'expired']);
    expect(page.state('login').login.restart_url).toBeDefined();
    expect(findAccepted(opened.challenge)).toEqual([]);
  });
});

describe('[MCS-2] the code', () => {
  it('counts only in the browser and the request that asked for it', async () => {
    const account = await person();
    const mine = await request(account.username);
    const stranger = await openLogin();
    await ask(stranger, account.username);
    await listMails();
    expect(toError(await enter(stranger, mine.code))).toEqual([422, 'code', 'invalid verification code']);
    const second = await openLogin({}, mine.browser);
    expect(read(await second.browser.get(toCodeUrl(second.challenge))).status).toBe('ask');
    const fields = { ...(await readFields(second)), code: mine.code };
    expect(toError(await second.browser.post(PATHS.loginCode, fields))).toEqual([422, 'ask', 'ended']);
    const foreign = await gateway.browser().get(toCodeUrl(mine.challenge));
    expect(foreign.status).toBe(400);
    expect((await enter(mine, mine.code)).status).toBe(303);
  });

  it('ends after five wrong tries, also at the same time, and after ten minutes', async () => {
    const opened = await request((await person()).username);
    const fields = await readFields(opened);
    const { browser, code } = opened;
    const guesses = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7].map((step) => browser.twin().post(PATHS.loginCode, { ...fields, code: toOther(code, step) })),
    );
    expect(guesses.filter((page) => toError(page)[2] === 'invalid verification code')).toHaveLength(4);
    expect(toError(await browser.post(PATHS.loginCode, { ...fields, code }))).toEqual([422, 'ask', 'ended']);
    const late = await request((await person()).username);
    const lateFields = await readFields(late);
    gateway.clock.advanceSeconds(601);
    expect(toError(await late.browser.post(PATHS.loginCode, { ...lateFields, code: late.code }))).toEqual([422, 'ask', 'ended']);
  });

  it('that has ended is explained although a password was proven before', async () => {
    const { account } = await steps.createPerson(`code-after-password.${(count += 1)}`);
    const email = { email: `code${count}@example.org`, emailVerified: true };
    await gateway.get(Accounts).update(account.id, email, { actor: 'operator' });
    const opened = await steps.reachStep(account);
    await ask(opened, account.username);
    const code = await readCode();
    for (let step = 1; step < 5; step += 1) await enter(opened, toOther(code, step));
    const fields = await readFields(opened);
    expect(toError(await opened.browser.post(PATHS.loginCode, { ...fields, code: toOther(code, 5) }))).toEqual([
      422,
      'ask',
      'ended',
    ]);
  });

  it.each<[string, (account: Account) => Promise<unknown>]>([
    ['is disabled', ({ id }) => gateway.get(Accounts).setStatus(id, 'disabled')],
    ['gets a new password', ({ id }) => gateway.get(SetPassword).setPassword(id, 'zinn ahorn 7735')],
    ['gets another address', ({ id }) => gateway.get(Accounts).update(id, { email: 'other@example.org' }, { actor: 'operator' })],
    ['gets a passkey', (account) => new PasskeyStory(gateway).createHolder({ account })],
  ])('is void when the account %s', async (_, change) => {
    const account = await person();
    const opened = await request(account.username);
    await change(account);
    expect((await enter(opened, opened.code)).status).toBe(422);
    expect(findAccepted(opened.challenge)).toEqual([]);
  });

  it('[S-25] is requested and refused in the same way for every name, before the account is looked up', async () => {
    const known = await person();
    const [disabled, unverified] = [await person(), await person({ emailVerified: false })];
    await gateway.get(Accounts).setStatus(disabled.id, 'disabled');
    const { account: withPasskey } = await new PasskeyStory(gateway).createHolder({ account: await person() });
    const names = [known, disabled, unverified, withPasskey]
      .map(({ username }) => username)
      .concat('nobody.at.all', 'no name \u202e');
    const codes = gateway.get(SignInCodes);
    const mail = codes.mail.bind(codes);
    let answered = 0;
    const answeredFirst: number[] = [];
    codes.mail = (asked) => {
      answeredFirst.push(answered);
      return mail(asked);
    };
    const answers: unknown[] = [];
    for (const name of names) {
      const opened = await openLogin({ challenge: `same-${String((count += 1)).padStart(6, '0')}` });
      const asked = toVisible(await ask(opened, name), opened);
      answered += 1;
      await gateway.get(RequestedMails).waitForAll();
      const wrong: unknown[] = [];
      for (let step = 0; step < 5; step++) wrong.push(toError(await enter(opened, 'abcdef')));
      answers.push({ asked, wrong });
    }
    codes.mail = mail;
    expect(answers[0]).toMatchObject({ asked: { status: 303 } });
    expect(answers).toEqual(answers.map(() => answers[0]));
    expect(answeredFirst).toEqual([1, 2, 3, 4, 5, 6]);
    expect((await listMails()).map(({ kind, recipient }) => [kind, recipient])).toEqual([
      ['sign-in-code', known.email],
      ['code-not-sent', withPasskey.email],
    ]);
  });

  it('counts like a wrong password: strangers delay the account, and a known device is not delayed', async () => {
    const account = await person();
    const known = await openLogin();
    await known.browser.post(PATHS.loginNative, { ...loginFields(known.page), username: account.username, password: PASSWORD });
    const { accountFreeFailures } = gateway.config.limits;
    let page: TestPage | undefined;
    for (let tries = 0; tries <= accountFreeFailures; tries++) {
      const opened = await openLogin();
      await ask(opened, account.username);
      page = await enter(opened, 'abcdef');
    }
    await listMails();
    expect(page && toError(page)).toEqual([429, 'code', 'limited']);
    const { page: login, browser } = await openLogin();
    const limited = await browser.post(PATHS.loginNative, {
      ...loginFields(login),
      username: account.username,
      password: PASSWORD,
    });
    expect([limited.status, limited.state('login').login.limited]).toEqual([429, 'account']);
    const own = await request(account.username, {}, known.browser);
    expect((await enter(own, own.code)).status).toBe(303);
    expect(await findEvents(account)).toEqual(expect.arrayContaining([['sign-in-code.refused', { reason: 'wrong-code' }]]));
  });

  /** Signs in with a password in a separate request. @returns the status, and which counter is limited */
  async function enterPassword({ username }: Account, password: string, browser?: TestBrowser) {
    const opened = await openLogin({}, browser);
    const page = await opened.browser.post(PATHS.loginNative, { ...loginFields(opened.page), username, password });
    return [page.status, page.status === 303 ? undefined : page.state('login').login.limited];
  }

  it('does not clear the wrong passwords, which would give its owner further guesses', async () => {
    const account = await person();
    const { accountFreeFailures } = gateway.config.limits;
    for (let tries = 1; tries < accountFreeFailures; tries++) await enterPassword(account, 'wrong');
    const opened = await request(account.username);
    expect((await enter(opened, opened.code)).status).toBe(303);
    expect((await enterPassword(account, 'wrong'))[0]).toBe(422);
    expect(await enterPassword(account, PASSWORD)).toEqual([429, 'account']);
  });

  it('does not make the browser known to an account with a password, whose limits would then not hold there', async () => {
    const account = await person();
    const opened = await request(account.username);
    expect((await enter(opened, opened.code)).status).toBe(303);
    const { accountFreeFailures } = gateway.config.limits;
    for (let tries = 0; tries < accountFreeFailures; tries++) await enterPassword(account, 'wrong');
    expect(await enterPassword(account, PASSWORD, opened.browser)).toEqual([429, 'account']);
    gateway.clock.advanceSeconds(HOUR);
    expect(await enterPassword(account, PASSWORD, opened.browser)).toEqual([303, undefined]);
    for (let tries = 0; tries < accountFreeFailures; tries++) await enterPassword(account, 'wrong');
    expect(await enterPassword(account, PASSWORD, opened.browser)).toEqual([303, undefined]);
  });

  it('makes the browser known to an account without a password, which strangers could otherwise lock out', async () => {
    const account = await person();
    await gateway.database.db.deleteFrom('password_credential').where('account_id', '=', account.id).execute();
    const { browser, challenge, code } = await request(account.username);
    expect((await enter({ browser, challenge }, code)).status).toBe(303);
    for (let tries = 0; tries < gateway.config.limits.accountFreeFailures; tries++) await enterPassword(account, 'wrong');
    const stranger = await request(account.username);
    expect(toError(await enter(stranger, stranger.code))).toEqual([429, 'code', 'limited']);
    const own = await request(account.username, {}, browser);
    expect((await enter(own, own.code)).status).toBe(303);
  });

  it('[S-48] is mailed to an account five times an hour at most, with the same answer, until one is entered', async () => {
    const account = await person();
    const askOften = async () => {
      for (let times = 0; times < 7; times++) await ask(await openLogin(), account.username);
      return (await listMails()).length;
    };
    expect(await askOften()).toBe(5);
    expect(await findEvents(account)).toContainEqual(['sign-in-code.asked', { mailed: false, reason: 'limited' }]);
    gateway.clock.advanceSeconds(HOUR + 1);
    const opened = await request(account.username);
    expect((await enter(opened, opened.code)).status).toBe(303);
    expect(await askOften()).toBe(5);
  });
});

describe('[MCS-3] a code never takes the place of something stronger', () => {
  it('leads to the second factor of the account, and the app learns both', async () => {
    const { account, app } = await steps.createPerson();
    await gateway
      .get(Accounts)
      .update(account.id, { email: `totp${account.id}@example.org`, emailVerified: true }, { actor: 'operator' });
    const opened = await request(account.username);
    expect((await enter(opened, opened.code)).location).toBe(stepAddress(opened.challenge));
    const { browser, fields } = await steps.openStep(opened.browser, opened.challenge);
    expect((await browser.post(PATHS.mfaVerify, { ...fields, method: 'totp', code: app.code() })).status).toBe(303);
    expect(findAccepted(opened.challenge)).toMatchObject([{ authentication: { amr: ['mail', 'otp', 'mfa'] } }]);
  });

  it('is not sent to an account whose only second factor is mailed, and is not followed by another mailed code', async () => {
    const user = await ManageUser.enter(gateway, { account: await person(), fresh: true });
    await user.post(FACTOR_PATHS.register('email-code'));
    await user.post(FACTOR_PATHS.register('email-code'), { code: await readCode() });
    await ask(await openLogin(), user.account.username);
    expect((await listMails()).map(({ kind, values }) => [kind, values['why']])).toEqual([['code-not-sent', 'usual']]);

    await steps.createKeyHolder(user.account);
    const opened = await request(user.account.username);
    await enter(opened, opened.code);
    const waiting = await steps.openStep(opened.browser, opened.challenge);
    const names = waiting.state.factors.filter(({ registered }) => registered).map(({ name }) => name);
    expect(names).toEqual(expect.not.arrayContaining(['email-code']));
    expect(names).toContain('fido2');
    expect((await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, method: 'email-code' })).status).toBe(403);
    expect((await call(waiting, SERVER_PATHS.mfaInitFido2.replace('fido2', 'email-code'))).status).toBe(403);
    expect(await listMails()).toEqual([]);
  });

  it('is not sent to an account with a passkey, which gets a mail that says so', async () => {
    const { account } = await new PasskeyStory(gateway).createHolder({ account: await person() });
    await ask(await openLogin(), account.username);
    expect((await listMails()).map(({ kind, values }) => [kind, values['why']])).toEqual([['code-not-sent', 'stronger']]);
    expect((await findEvents(account))[0]).toEqual(['sign-in-code.asked', { mailed: false, reason: 'stronger' }]);
  });

  it.each<[string, Partial<LoginRequest> | (() => Partial<LoginRequest>)]>([
    ['a password', { acrValues: ['urn:foyer:acr:pwd'] }],
    ['the number 1', { acrValues: ['1'] }],
    ['two factors', { acrValues: ['urn:foyer:acr:mfa'] }],
    ['a key', { acrValues: ['urn:foyer:acr:phr'] }],
    [
      'a second factor by the settings of the client',
      () => ({ client: gateway.hydra.client({ foyer: { confirmSession: false, returnUrls: [], mfa: 'required' } }) }),
    ],
  ])('is not enough where %s is required: the password is asked for, and nothing is set up', async (_, login) => {
    const account = await person();
    const opened = await request(account.username, typeof login === 'function' ? login() : login);
    const page = await enter(opened, opened.code);
    const shown = read(page);
    expect([page.status, shown.status]).toEqual([403, 'not-enough']);
    expect(page.html).toContain('The code isn’t enough this time');
    expect(findAccepted(opened.challenge)).toEqual([]);
    const again = await opened.browser.get(shown.login_url);
    const answer = await steps.signIn(opened.browser, loginFields(again), account);
    expect(answer.status).toBe(303);
  });

  it('continues a session only for requests for which it is enough', async () => {
    const account = await person();
    const sessionId = `mail-${(count += 1)}`;
    const opened = await request(account.username, { sessionId });
    await enter(opened, opened.code);
    const skip = { skip: true, subject: account.id, sessionId };
    const findContinued = async (acrValues: string[]) => {
      const { challenge } = await openLogin({ ...skip, acrValues }, opened.browser);
      return findAccepted(challenge).map((made) => 'authentication' in made && made.authentication);
    };
    expect(await findContinued([])).toMatchObject([{ acr: 'urn:foyer:acr:mail', amr: ['mail'] }]);
    expect(await findContinued(['urn:foyer:acr:pwd'])).toEqual([]);
    expect(await findContinued(['1'])).toEqual([]);
  });
});

describe('[MCS-4] whoever belongs elsewhere', () => {
  it('signs in with a code only as long as the source knows the person', async () => {
    const username = `coded.${(count += 1)}`;
    const fields = { subject: `id-of-${username}`, username, email: `${username}@there.example`, emailVerified: true };
    const stored = { ...fields, isActive: true, attributes: {}, password: PASSWORD };
    staff.people.push(stored);
    const first = await openLogin();
    await first.browser.post(PATHS.loginNative, { ...loginFields(first.page), username, password: PASSWORD });
    const good = await request(username);
    expect((await enter(good, good.code)).status).toBe(303);
    const gone = await request(username);
    stored.isActive = false;
    const page = await enter(gone, gone.code);
    expect([page.status, page.state('server_error').server_error.code]).toEqual([403, 'not_allowed']);
    expect(findAccepted(gone.challenge)).toEqual([]);
  });

  it('gets no code if only a provider knows whether the person still belongs to it', async () => {
    const account = await person();
    const now = new Date();
    const link = { account_id: account.id, source: 'https://accounts.example', subject: `maria${count}`, profile: '' };
    await gateway.database.db
      .insertInto('source_account')
      .values({ ...link, connected_at: now, seen_at: now })
      .execute();
    await ask(await openLogin(), account.username);
    expect((await listMails()).map(({ kind }) => kind)).toEqual(['code-not-sent']);
    expect((await findEvents(account))[0]).toEqual(['sign-in-code.asked', { mailed: false, reason: 'provider' }]);
  });
});

describe('[MCS-5] turned off', () => {
  it('there is no link and no page', async () => {
    const off = await startTestGateway();
    try {
      const browser = off.browser();
      off.hydra.addLogin({ challenge: 'off' });
      const page = await browser.get(`${PATHS.login}?login_challenge=off`);
      expect(page.state('login').login).not.toHaveProperty('code_url');
      expect((await browser.get(toCodeUrl('off'))).status).toBe(404);
      expect((await browser.post(PATHS.loginCode, { ...loginFields(page), username: 'maria' })).status).toBe(404);
      expect((await browser.post(PATHS.loginCode, { ...loginFields(page), code: '123456' })).status).toBe(404);
    } finally {
      await off.close();
    }
  });
});
