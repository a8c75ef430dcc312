/**
 * What each credential may see and change in the account area. The table is in docs/authentication.md; `UPDATE_DOCS=1` writes
 * it there. CI asks each credential for each column once, fresh and older by turns; the full matrix asks for all when fresh and when older.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { buildMarkedTable, withGeneratedPart } from '../../src/config/generated-part.js';
import { PATHS } from '../../src/contract/paths.js';
import { readText } from '../support/documents.js';
import { PASSWORD } from '../support/gateway.js';
import { accessToken, signIn } from '../support/manage.js';
import { IS_FULL } from '../support/matrix.js';
import { MailedCodeStory } from '../support/mailed-codes.js';
import { FLAGS, PasskeyStory } from '../support/passkeys.js';
import { ProviderStory } from '../support/provider-story.js';
import { RpcClient } from '../support/rpc-client.js';
import { PROJECT } from '../support/scratch-tree.js';
import { SecondStepStory } from '../support/second-step.js';
import type { TestBrowser } from '../support/test-browser.js';

const MARKS = {
  begin: '<!-- manage:begin · made by test/flows/manage-table.test.ts -->',
  end: '<!-- manage:end -->',
};
const PAGE = 'docs/authentication.md';
const TIMEOUT_MS = 180_000;
const IS_UPDATE = process.env['UPDATE_DOCS'] === '1';
const IS_ALL = IS_FULL || IS_UPDATE;
const NOBODY = '00000000-0000-4000-8000-000000000000';

/** A session of the account area. */
interface Session {
  account: Account;
  browser: TestBrowser;
  calls: RpcClient;
}

type Call = readonly [method: string, path: string, body?: unknown];

/** Calls that do little or nothing where they are allowed. All calls of one column have one outcome. */
const COLUMNS: readonly (readonly [heading: string, ...calls: Call[]])[] = [
  [
    'see name and factors',
    ['GET', '/userinfo'],
    ['GET', '/username'],
    ['GET', '/mfa-registration-status'],
    ['GET', '/oauth/accounts'],
  ],
  [
    'see devices, apps, trusted browsers, activity',
    ['GET', '/devices'],
    ['GET', '/apps'],
    ['GET', '/trusted-browsers'],
    ['GET', '/activity'],
  ],
  [
    'end devices, apps, trusted browsers',
    ['DELETE', `/devices/${NOBODY}`],
    ['DELETE', '/apps/nobody'],
    ['PUT', '/apps/nobody/scopes', { scopes: [] }],
    ['DELETE', `/trusted-browsers/${NOBODY}`],
  ],
  ['new password', ['PUT', '/password', { password: PASSWORD, newPassword: 'x', newPasswordRepeat: 'x' }]],
  ['add a factor or passkey', ['POST', '/mfa-init-totp'], ['POST', '/mfa-init-fido2'], ['POST', '/mfa-init-passkey']],
  ['remove one', ['DELETE', `/mfa/fido2/${NOBODY}`], ['DELETE', `/mfa/passkey/${NOBODY}`]],
  ['new recovery codes', ['POST', '/mfa-recovery-codes']],
  ['username, e-mail address', ['PUT', '/username', { username: '' }], ['POST', '/email/init', { email: 'nobody' }]],
  ['connect or disconnect a provider', ['POST', '/oauth/connect-url/microsoft', {}], ['DELETE', '/oauth/microsoft']],
  ['download the data', ['GET', '/data'], ['GET', '/terms'], ['DELETE', '/terms/none']],
  ['delete the account', ['POST', '/deletion']],
  ['keep it', ['DELETE', '/deletion']],
];

let providers: ProviderStory;
let steps: SecondStepStory;
let passkeys: PasskeyStory;
let count = 0;

beforeAll(async () => {
  providers = await ProviderStory.start({
    config: ({ limits, login }) => ({ limits: { ...limits, addressFailures: 10_000 }, login: { ...login, codes: 'on' } }),
  });
  steps = new SecondStepStory(providers.gateway);
  passkeys = new PasskeyStory(providers.gateway);
});

afterAll(() => providers.gateway.close());

const newBrowser = () => providers.gateway.browser({ 'sec-fetch-site': 'none' });
const newAccount = () => providers.gateway.account(`table.person${(count += 1)}`);

async function enterManage(account: Account, browser = newBrowser()): Promise<Session> {
  await browser.get(`${PATHS.manage}?t=${accessToken(providers.gateway, account)}`);
  const { api } = (await browser.get(PATHS.manage)).state('manage');
  return { account, browser, calls: new RpcClient(providers.gateway.url, api.token, browser.cookies('/')) };
}

/** A client that sends no cookies. */
async function enterByClient(account: Account): Promise<Session> {
  const session = await enterManage(account, providers.gateway.browser());
  return { ...session, calls: new RpcClient(providers.gateway.url, session.calls.token) };
}

async function signInByPassword(account: Account, browser = newBrowser()): Promise<TestBrowser> {
  await signIn(providers.gateway, browser, account);
  return browser;
}

async function signInByCode(more: Record<string, string> = {}) {
  const { account, app } = await steps.createPerson(`table.person${(count += 1)}`);
  const { browser, fields } = await steps.reachStep(account, { sessionId: `table-${count}` }, newBrowser());
  providers.gateway.clock.advanceSeconds(60);
  const form = { ...fields, method: 'totp', code: app.code(), ...more };
  expect((await browser.post(PATHS.mfaVerify, form)).status).toBe(303);
  return { account, app, browser };
}

/** Signs in again with only the password, in a trusted browser. */
async function enterByTrustedBrowser(): Promise<Session> {
  const { account, browser } = await signInByCode({ trust_browser: 'true' });
  return enterManage(account, await signInByPassword(account, browser));
}

async function enterByPasskey(): Promise<Session> {
  const passkey = await passkeys.createHolder({ account: await newAccount(), flags: FLAGS.device });
  const browser = newBrowser();
  await passkeys.signIn(passkey, {}, browser);
  return enterManage(passkey.account, browser);
}

async function enterByProvider(): Promise<Session> {
  const email = { email: `table${(count += 1)}@example.org`, emailVerified: true };
  const account = await providers.gateway.get(Accounts).create({ username: `table.person${count}`, ...email });
  const browser = newBrowser();
  await providers.signIn(await providers.connect(account), 'google', { browser });
  return enterManage(account, browser);
}

async function enterByMailedCode(): Promise<Session> {
  const email = { email: `table${(count += 1)}@example.org`, emailVerified: true };
  const account = await providers.gateway.account(`table.person${count}`, email);
  const opened = await steps.openLogin({ sessionId: `table-${count}` }, newBrowser());
  expect((await new MailedCodeStory(providers.gateway).signIn(opened, account.username)).status).toBe(303);
  return enterManage(account, opened.browser);
}

const withApp = async () => (await steps.createPerson(`table.person${(count += 1)}`)).account;
const withPasskey = async () => (await passkeys.createHolder({ account: await newAccount() })).account;

const CREDENTIALS: readonly (readonly [name: string, account: string, enter: () => Promise<Session>])[] = [
  ['access token alone', 'password', async () => enterManage(await newAccount())],
  ['access token alone', 'password, app', async () => enterManage(await withApp())],
  ['access token alone', 'password, passkey', async () => enterManage(await withPasskey())],
  ['access token, in a client without a browser', 'password, app', async () => enterByClient(await withApp())],
  [
    'the same, and the code of the app',
    'password, app',
    async () => {
      const { account, app } = await steps.createPerson(`table.person${(count += 1)}`);
      const session = await enterByClient(account);
      expect((await session.calls.post('/proof/totp', { code: app.code() })).status).toBe(200);
      return session;
    },
  ],
  [
    'sign-in with the password',
    'password',
    async () => {
      const account = await newAccount();
      return enterManage(account, await signInByPassword(account));
    },
  ],
  [
    'the same, before the first factor was set up elsewhere',
    'password, key',
    async () => {
      const account = await newAccount();
      const session = await enterManage(account, await signInByPassword(account));
      await steps.createKeyHolder(account);
      return session;
    },
  ],
  [
    'sign-in with password and code',
    'password, app',
    async () => {
      const { account, browser } = await signInByCode();
      return enterManage(account, browser);
    },
  ],
  ['sign-in with the password, in a trusted browser', 'password, app', enterByTrustedBrowser],
  [
    'the same, after the trust in all browsers was ended',
    'password, app',
    async () => {
      const session = await enterByTrustedBrowser();
      expect((await session.calls.delete('/trusted-browsers')).status).toBe(200);
      return session;
    },
  ],
  [
    'sign-in with the password',
    'password, passkey',
    async () => {
      const account = await withPasskey();
      return enterManage(account, await signInByPassword(account));
    },
  ],
  ['sign-in with the passkey', 'password, passkey', enterByPasskey],
  ['sign-in with a code by mail', 'password, address', enterByMailedCode],
  ['sign-in by a provider', 'provider, address', enterByProvider],
];

async function findOutcome({ calls }: Session, [method, path, body]: Call): Promise<string> {
  const answer = await calls.call(method, path, body);
  const { error } = answer.body;
  if (answer.status === 403 && error === 'proof required') return '*proof*';
  // The call was allowed, although nothing was found or the input was refused.
  if ([200, 201, 404, 409, 422].includes(answer.status)) return 'yes';
  throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}

/** One outcome for all calls, or one for each call. */
async function toCell(session: Session, calls: readonly Call[]): Promise<string> {
  const outcomes: [string, string][] = [];
  for (const call of calls) outcomes.push([`${call[0]} ${call[1]}`, await findOutcome(session, call)]);
  const [[, first] = ['', ''], ...others] = outcomes;
  return others.every(([, outcome]) => outcome === first) ? first : outcomes.map((pair) => pair.join(': ')).join('; ');
}

/** The proofs that the page "confirm that it is you" offers. A password is accepted only if it is one of them. */
async function findProofs(session: Session): Promise<string> {
  const { methods } = (await session.browser.get(PATHS.manageConfirm)).state('manage_confirm').manage_confirm;
  if (!methods.includes('password')) {
    expect((await session.calls.post('/proof/password', { password: PASSWORD })).status).not.toBe(200);
  }
  return methods.map((method) => `\`${method}\``).join(', ');
}

interface Asked {
  session: Session;
  has: string;
  /** The cells of the page, which are kept where nothing is asked. */
  documented: readonly string[];
  /** @param position of a column */
  isAsked(position: number): boolean;
}

async function toCells({ session, has, documented, isAsked }: Asked): Promise<string> {
  const cells = [...documented];
  const positions = COLUMNS.map((_column, position) => position).filter(isAsked);
  for (const position of positions) {
    const [heading, ...calls] = COLUMNS[position] ?? [''];
    const isWithout = heading === 'new password' && !has.includes('password');
    cells[position] = isWithout ? '–' : await toCell(session, calls);
  }
  if (isAsked(COLUMNS.length)) cells[COLUMNS.length] = await findProofs(session);
  return cells.join(' | ');
}

/** @returns the cells that the page has for a credential, when fresh and when older */
function findDocumented(page: string, name: string, has: string): string[][] {
  const lines = page.split('\n').map((line) => line.slice('| '.length, -' |'.length).split(' | '));
  const position = lines.findIndex((cells) => cells[0] === name && cells[1] === has);
  const [cells = [], next = []] = lines.slice(position, position + 2);
  const fresh = cells.slice(3);
  return [fresh, cells[2] === 'fresh' ? next.slice(next.indexOf('older') + 1) : fresh];
}

/** The last two columns belong together, because whoever deletes an account can keep it. */
const toTurn = (position: number): number => Math.min(position, COLUMNS.length - 2) % 2;

async function rows(page: string): Promise<string[]> {
  const headings = ['credential', 'account has', 'age', ...COLUMNS.map(([heading]) => heading), 'what proves'];
  const lines = [`| ${headings.join(' | ')} |`, `|${' --- |'.repeat(headings.length)}`];
  for (const [index, [name, has, enter]] of CREDENTIALS.entries()) {
    const session = await enter();
    const [documentedFresh = [], documentedOlder = []] = findDocumented(page, name, has);
    const ask = (documented: readonly string[], turn: number): Promise<string> => {
      const isAsked = (position: number): boolean => IS_ALL || (index + toTurn(position)) % 2 === turn;
      return toCells({ session, has, documented, isAsked });
    };
    const fresh = await ask(documentedFresh, 0);
    providers.gateway.clock.advanceSeconds(providers.gateway.config.manage.freshProofSeconds + 1);
    const older = await ask(documentedOlder, 1);
    if (fresh === older) lines.push(`| ${name} | ${has} | any | ${fresh} |`);
    else lines.push(`| ${name} | ${has} | fresh | ${fresh} |`, `| | | older | ${older} |`);
  }
  return lines;
}

it(
  '[S-78b] [S-78c] docs/authentication.md lists what every credential may do in the account area',
  async () => {
    const page = readText(PAGE);
    const renewed = withGeneratedPart(page, MARKS, buildMarkedTable(MARKS, await rows(page)));
    if (IS_UPDATE) writeFileSync(join(PROJECT, PAGE), renewed);
    else expect(page).toBe(renewed);
  },
  TIMEOUT_MS,
);
