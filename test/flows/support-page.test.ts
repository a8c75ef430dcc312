/** The page of a person who has called the help desk and cannot sign in, but reads their mail: what strangers would try with it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { SupportAccess } from '../../src/accounts/operators/support-access.js';
import { SupportChecks } from '../../src/accounts/operators/support-checks.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import { OutboxClaims, type ClaimedMail } from '../../src/accounts/queue/outbox-claims.js';
import { PATHS } from '../../src/contract/paths.js';
import { RequestedMails } from '../../src/flows/sign-in/requested-mails.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { newPerson } from '../support/manage.js';
import type { TestBrowser, TestPage } from '../support/test-browser.js';

const OLGA = { actor: 'operator', operator: 'olga', reason: 'call 4711' } as const;
const HOUR = 3600;
/** The headers that a browser sends with a form of a page of Foyer, and the value of an earlier form. */
const OWN = { 'sec-fetch-site': 'same-origin' };
const OUTDATED = { _xsrf: 'outdated' };

let gateway: TestGateway;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway({
    config: ({ limits, operator }) => ({
      limits: { ...limits, addressFailures: 1000 },
      operator: { ...operator, supportCheck: true },
    }),
  });
});

afterAll(() => gateway.close());

const person = (more: Parameters<TestGateway['account']>[1] = {}): Promise<Account> =>
  newPerson(gateway, { email: `person${(count += 1)}@example.org`, ...more });

/** Reads a page of the flow. */
const read = (page: TestPage) => page.state('support').support;
const toError = (page: TestPage) => {
  const shown = read(page);
  return [page.status, shown.status, 'error' in shown ? shown.error : undefined];
};

async function ask(username: string, browser = gateway.browser()): Promise<TestPage> {
  const form = read(await browser.get(PATHS.support));
  if (form.status !== 'ask') throw new Error(`The page is ${form.status}`);
  return browser.post(PATHS.support, { _xsrf: form.xsrf_token, username });
}

async function enter(browser: TestBrowser, code: string): Promise<TestPage> {
  const form = read(await browser.get(PATHS.supportCode));
  if (form.status !== 'code') throw new Error(`The page is ${form.status}`);
  return browser.post(PATHS.supportCode, { _xsrf: form.xsrf_token, code });
}

/** Lists the mails that were queued since the last call, oldest first. */
async function listMails(): Promise<ClaimedMail[]> {
  await gateway.get(RequestedMails).waitForAll();
  const claims = gateway.get(OutboxClaims);
  const mails = (await claims.claim(100)).toSorted((one, other) => one.id - other.id);
  for (const mail of mails) await claims.markSent(mail);
  return mails.filter(({ kind }) => kind === 'support-code');
}

async function readCode(): Promise<string> {
  const code = (await listMails()).at(-1)?.values['code'];
  if (typeof code !== 'string') throw new Error('There is no mail with a code');
  return code;
}

/** Opens the page with a mailed code. */
async function open({ username }: Account, browser = gateway.browser()): Promise<TestBrowser> {
  await ask(username, browser);
  expect((await enter(browser, await readCode())).location).toBe(PATHS.supportWords);
  return browser;
}

const beginCheck = (account: Account) => gateway.get(SupportChecks).ask(account.id, OLGA);

async function findWords({ id }: Account): Promise<string> {
  const check = await gateway.get(SupportChecks).find(id);
  if (!check) throw new Error('No check is open');
  return check.words;
}

/** A code of six digits that is not this one. */
const toOther = (code: string, step = 1) => String((Number(code) + step) % 1_000_000).padStart(6, '0');

/** What somebody who asks for a code can see, without the values that are new each time. */
function toVisible({ status, location, html, headers, setCookies }: TestPage): unknown {
  const varying = ['date', 'x-request-id', 'set-cookie', 'keep-alive'];
  const rest = [...headers].filter(([name]) => !varying.includes(name));
  return { status, location, html, rest, cookies: setCookies.map(({ name }) => name) };
}

const findKinds = async ({ id }: Account) => (await gateway.get(AuditLog).list(id)).entries.map(({ kind }) => kind);

describe('the page for the help desk', () => {
  it('shows the words of the check after a mailed code, without a sign-in, and only while a check is open', async () => {
    const account = await person();
    const browser = await open(account);
    expect(read(await browser.get(PATHS.supportWords))).toEqual({ status: 'words', xsrf_token: expect.any(String) });
    await beginCheck(account);
    const page = await browser.get(PATHS.supportWords);
    const words = await findWords(account);
    expect(read(page)).toMatchObject({ check: { words, operator: null, expires_at: expect.any(String) } });
    expect(page.html).toContain(words);
    expect(page.headers.get('cache-control')).toContain('no-store');
    expect((await browser.get(PATHS.support)).location).toBe(PATHS.supportWords);
    expect((await browser.get(PATHS.supportCode)).location).toBe(PATHS.supportWords);
    expect((await browser.get(PATHS.manage)).status).not.toBe(200);
    await gateway.get(SupportChecks).answer(account.id, words, OLGA);
    expect(read(await browser.get(PATHS.supportWords))).not.toHaveProperty('check');
    expect(await findKinds(account)).toEqual(
      expect.arrayContaining(['support-page.asked', 'support-page.opened', 'support-check.passed']),
    );
  });

  it('keeps its secrets in a cookie of this browser, and none in an address', async () => {
    const account = await person();
    const browser = gateway.browser();
    const asked = await ask(account.username, browser);
    const cookie = { name: 'foyer-support', httpOnly: true, sameSite: 'Lax', path: '/', maxAgeSeconds: 1800 };
    expect(asked.setCookies).toEqual([expect.objectContaining(cookie)]);
    const opened = await enter(browser, await readCode());
    expect(opened.setCookies).toEqual([expect.objectContaining(cookie)]);
    expect(opened.setCookies[0]?.value).not.toBe(asked.setCookies[0]?.value);
  });

  it('[S-25] answers the same for every name, before the account is looked up', async () => {
    const [known, disabled, without] = [await person(), await person(), await newPerson(gateway)];
    await gateway.get(Accounts).setStatus(disabled.id, 'disabled');
    const access = gateway.get(SupportAccess);
    const mail = access.mail.bind(access);
    let answered = 0;
    const answeredFirst: number[] = [];
    access.mail = (request) => {
      answeredFirst.push(answered);
      return mail(request);
    };
    const names = [known, disabled, without].map(({ username }) => username).concat('nobody.at.all', 'no name \u202e at all');
    const answers: unknown[] = [];
    for (const name of names) {
      const browser = gateway.browser();
      const asked = toVisible(await ask(name, browser));
      answered += 1;
      await gateway.get(RequestedMails).waitForAll();
      const wrong: unknown[] = [];
      for (let attempt = 0; attempt < 4; attempt++) wrong.push(toError(await enter(browser, '000000')));
      wrong.push(toError(await browser.post(PATHS.supportCode, await toCodeFields(browser, '000000'))));
      answers.push({ asked, wrong, after: toError(await browser.get(PATHS.supportCode)) });
    }
    access.mail = mail;
    expect(answers[0]).toMatchObject({ asked: { status: 303, location: PATHS.supportCode }, after: [200, 'ended', undefined] });
    expect(answers).toEqual(answers.map(() => answers[0]));
    expect(answeredFirst).toEqual([1, 2, 3, 4, 5]);
    expect((await listMails()).map(({ recipient }) => recipient)).toEqual([known.email]);
  });

  it('shows only the check of the account whose code was entered', async () => {
    const [mine, other] = [await person(), await person()];
    const browser = await open(mine);
    await beginCheck(other);
    expect(read(await browser.get(PATHS.supportWords))).not.toHaveProperty('check');
  });

  it('accepts the code only in the browser that asked for it, and only once', async () => {
    const account = await person();
    const [mine, stranger] = [gateway.browser(), gateway.browser()];
    await ask(account.username, mine);
    const code = await readCode();
    await ask(account.username, stranger);
    await listMails();
    expect(toError(await enter(stranger, code))).toEqual([422, 'code', 'invalid verification code']);
    expect((await gateway.browser().get(PATHS.supportCode)).location).toBe(PATHS.support);
    expect((await gateway.browser().get(PATHS.supportWords)).location).toBe(PATHS.support);
    const copy = mine.clone();
    expect((await enter(mine, `${code.slice(0, 3)} ${code.slice(3)}`)).location).toBe(PATHS.supportWords);
    expect(toError(await copy.get(PATHS.supportCode))).toEqual([200, 'ended', undefined]);
  });

  it('gives a double click one answer', async () => {
    const account = await person();
    const browser = gateway.browser();
    await ask(account.username, browser);
    const fields = await toCodeFields(browser, await readCode());
    const answers = await Promise.all([browser.twin(), browser.twin()].map((twin) => twin.post(PATHS.supportCode, fields)));
    expect(answers.map(({ location }) => location)).toEqual([PATHS.supportWords, PATHS.supportWords]);
    expect(read(await browser.get(PATHS.supportWords)).status).toBe('words');
  });

  it('stays open if the right code is submitted again, also with an outdated form', async () => {
    const account = await person();
    const browser = gateway.browser();
    await ask(account.username, browser);
    const fields = await toCodeFields(browser, await readCode());
    for (const form of [fields, fields, { ...fields, ...OUTDATED }]) {
      const answer = await browser.post(PATHS.supportCode, form, OWN);
      expect([answer.status, answer.location]).toEqual([303, PATHS.supportWords]);
    }
  });

  it('opens once for two requests at the same time, as at two gateways', async () => {
    const { username } = await person();
    const access = gateway.get(SupportAccess);
    const request = await access.begin();
    const auditContext = { actor: 'person', address: '192.0.2.7', requestId: 'request' } as const;
    await access.mail({ request, username, byEmail: false, auditContext });
    const code = await readCode();
    const entered = await Promise.all([1, 2, 3].map(() => access.enter(request, code, auditContext)));
    expect(entered.filter(({ kind }) => kind === 'opened')).toHaveLength(1);
  });

  it('ends after five wrong codes, also for the right one, and after ten minutes', async () => {
    const account = await person();
    const guesser = gateway.browser();
    await ask(account.username, guesser);
    const code = await readCode();
    const fields = await toCodeFields(guesser, code);
    const guesses = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7].map((step) => guesser.twin().post(PATHS.supportCode, { ...fields, code: toOther(code, step) })),
    );
    expect(guesses.filter((page) => read(page).status === 'code')).toHaveLength(4);
    expect(toError(await guesser.post(PATHS.supportCode, fields))).toEqual([200, 'ended', undefined]);
    const late = gateway.browser();
    await ask(account.username, late);
    const lateCode = await readCode();
    const lateFields = await toCodeFields(late, lateCode);
    gateway.clock.advanceSeconds(601);
    expect(toError(await late.post(PATHS.supportCode, lateFields))).toEqual([200, 'ended', undefined]);
  });

  it('stays open for 15 minutes', async () => {
    const account = await person();
    const browser = await open(account);
    gateway.clock.advanceSeconds(14 * 60);
    await beginCheck(account);
    expect(read(await browser.get(PATHS.supportWords))).toHaveProperty('check');
    gateway.clock.advanceSeconds(61);
    expect(toError(await browser.get(PATHS.supportWords))).toEqual([200, 'ended', undefined]);
    expect(toError(await browser.get(PATHS.support))).toEqual([200, 'ask', null]);
  });

  it.each([
    ['is disabled', ({ id }: Account) => gateway.get(Accounts).setStatus(id, 'disabled')],
    [
      'is disabled and enabled again',
      async ({ id }: Account) => {
        await gateway.get(Accounts).setStatus(id, 'disabled');
        return gateway.get(Accounts).setStatus(id, 'active');
      },
    ],
    ['is deleted', ({ id }: Account) => gateway.database.db.deleteFrom('account').where('id', '=', id).execute()],
    ['gets a new password', ({ id }: Account) => gateway.get(SetPassword).setPassword(id, 'zinn ahorn 7735')],
    [
      'gets another address',
      ({ id }: Account) => gateway.get(Accounts).update(id, { email: `other${(count += 1)}@example.org` }, { actor: 'operator' }),
    ],
  ])('ends, and so does its code, when the account %s', async (_name, change) => {
    const account = await person();
    const [opened, asked] = [await open(account), gateway.browser()];
    await ask(account.username, asked);
    const code = await readCode();
    await change(account);
    expect(toError(await opened.get(PATHS.supportWords))).toEqual([200, 'ended', undefined]);
    expect(toError(await enter(asked, code))).toEqual([422, 'code', 'invalid verification code']);
  });

  it('is closed in this browser by its button', async () => {
    const account = await person();
    const browser = await open(account);
    const copy = browser.clone();
    const shown = read(await browser.get(PATHS.supportWords));
    if (shown.status !== 'words') throw new Error('The page is not open');
    expect((await browser.post(PATHS.supportEnd, OUTDATED, OWN)).location).toBe(PATHS.supportWords);
    for (const path of [PATHS.supportWords, PATHS.supportEnd]) expect(read(await browser.get(path)).status).toBe('words');
    expect((await browser.post(PATHS.supportEnd, { _xsrf: shown.xsrf_token })).location).toBe(PATHS.support);
    expect((await browser.get(PATHS.supportWords)).location).toBe(PATHS.support);
    expect(toError(await copy.get(PATHS.supportWords))).toEqual([200, 'ended', undefined]);
  });

  it('does nothing for a form of another site, and shows an outdated or empty one again', async () => {
    const { username } = await person();
    const browser = gateway.browser();
    await browser.get(PATHS.support);
    expect((await browser.post(PATHS.support, { username })).status).toBe(403);
    expect(toError(await browser.post(PATHS.support, { ...OUTDATED, username }, OWN))).toEqual([403, 'ask', 'stale']);
    expect(toError(await ask(' ', browser))).toEqual([422, 'ask', 'empty-username']);
    expect(await listMails()).toEqual([]);
    await ask(username, browser);
    const code = await readCode();
    expect((await browser.post(PATHS.supportCode, { code })).status).toBe(403);
    expect(toError(await browser.post(PATHS.supportCode, { ...OUTDATED, code }, OWN))).toEqual([403, 'code', 'stale']);
    expect((await enter(browser, code)).location).toBe(PATHS.supportWords);
  });

  it('[S-48] mails an account three codes an hour at most, and a mailbox six, with the same answer, until one is entered', async () => {
    const shared = `shared${(count += 1)}@example.org`;
    const accounts = [await person({ email: shared }), await person({ email: shared }), await person({ email: shared })];
    const askOften = async ({ username }: Account) => {
      for (let again = 0; again < 5; again++) expect((await ask(username)).location).toBe(PATHS.supportCode);
      return (await listMails()).length;
    };
    const sent: number[] = [];
    for (const account of accounts) sent.push(await askOften(account));
    expect(sent).toEqual([3, 3, 0]);
    gateway.clock.advanceSeconds(HOUR + 1);
    const [first] = accounts as [Account];
    await open(first);
    expect(await askOften(first)).toBe(3);
  });

  it('[S-48] is limited for one address', async () => {
    const own = await startTestGateway({
      config: ({ limits, operator }) => ({
        limits: { ...limits, addressFailures: 2 },
        operator: { ...operator, supportCheck: true },
      }),
    });
    try {
      const browser = own.browser();
      const form = read(await browser.get(PATHS.support));
      const fields = { _xsrf: 'xsrf_token' in form ? form.xsrf_token : '', username: 'maria' };
      for (let asked = 0; asked < 2; asked++) expect((await browser.post(PATHS.support, fields)).status).toBe(303);
      const limited = await browser.post(PATHS.support, fields);
      expect(toError(limited)).toEqual([429, 'ask', 'limited']);
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await own.close();
    }
  });

  it('mails people of a source too, in the language of the account, because whoever asks can choose that of the page', async () => {
    const account = await person({ language: 'de' });
    const times = { connected_at: new Date(), seen_at: new Date() };
    const link = { account_id: account.id, source: 'staff', subject: account.id, profile: '', ...times };
    await gateway.database.db.insertInto('source_account').values(link).execute();
    const browser = gateway.browser({ 'accept-language': 'en' });
    await ask(account.username, browser);
    expect(await listMails()).toMatchObject([
      { recipient: account.email, locale: 'de', values: { code: expect.stringMatching(/^\d{6}$/) } },
    ]);
  });
});

describe('SUPPORT_CHECK=off', () => {
  it('answers like an unknown path, and mails nothing', async () => {
    const off = await startTestGateway();
    try {
      const browser = off.browser();
      const { id } = await off.account('maria', { email: 'maria@example.org' });
      const { password_request_form: form } = (await browser.get(PATHS.passwordRequestForm)).state('password_request_form');
      const fields = { _xsrf: form.xsrf_token, username: 'maria', code: '000000' };
      for (const path of [PATHS.support, PATHS.supportCode, PATHS.supportWords, PATHS.supportEnd]) {
        expect((await browser.get(path)).status).toBe(404);
      }
      for (const path of [PATHS.support, PATHS.supportCode, PATHS.supportEnd]) {
        expect((await browser.post(path, fields)).status).toBe(404);
      }
      await off.get(RequestedMails).waitForAll();
      expect(await off.database.db.selectFrom('outbox').select('id').where('account_id', '=', id).execute()).toEqual([]);
    } finally {
      await off.close();
    }
  });
});

async function toCodeFields(browser: TestBrowser, code: string): Promise<{ _xsrf: string; code: string }> {
  const form = read(await browser.get(PATHS.supportCode));
  return { _xsrf: 'xsrf_token' in form ? form.xsrf_token : '', code };
}
