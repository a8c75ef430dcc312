/**
 * Every way of signing in with every request and policy, and what the app receives. The table is in docs/authentication.md;
 * `UPDATE_DOCS=1` writes it there. CI asks each way with each request once, with the first policy and the second by turns; the full matrix
 * asks with both.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { buildMarkedTable, withGeneratedPart } from '../../src/config/generated-part.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import type { LoginRequest } from '../../src/hydra/hydra.port.js';
import { readText } from '../support/documents.js';
import { MailedCodeStory } from '../support/mailed-codes.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { IS_FULL } from '../support/matrix.js';
import { FLAGS, PasskeyStory } from '../support/passkeys.js';
import { PROJECT } from '../support/scratch-tree.js';
import { SecondStepStory, call, stepAddress, type Waiting } from '../support/second-step.js';
import type { RegistrationDeviation } from '../support/synthetic-key.js';

const MARKS = {
  begin: '<!-- outcomes:begin · made by test/flows/authentication-table.test.ts -->',
  end: '<!-- outcomes:end -->',
};
const PAGE = 'docs/authentication.md';
const TIMEOUT_MS = 180_000;
const IS_UPDATE = process.env['UPDATE_DOCS'] === '1';
const IS_ALL = IS_FULL || IS_UPDATE;

type Asked = Partial<LoginRequest> & { parameters?: Record<string, string> };

const REQUESTS: readonly (readonly [heading: string, asked: Asked])[] = [
  ['nothing', {}],
  ['`mfa`', { acrValues: ['urn:foyer:acr:mfa'] }],
  ['`phr`', { acrValues: ['urn:foyer:acr:phr'] }],
  ['`phrh`', { acrValues: ['urn:foyer:acr:phrh'] }],
  ['`1`', { acrValues: ['1'] }],
  ['`2`', { acrValues: ['2'] }],
  ['`3`', { acrValues: ['3'] }],
  ['`prompt=login`', { parameters: { prompt: 'login' } }],
  ['`max_age=0`', { parameters: { max_age: '0' } }],
];

/** Signs in as far as this way allows. @returns the challenge */
type Way = (request: Partial<LoginRequest>) => Promise<{ challenge: string; isAsked?: string }>;

let gateway: TestGateway;
let steps: SecondStepStory;
let passkeys: PasskeyStory;
let codes: MailedCodeStory;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway({
    config: (config) => ({
      mfa: { ...config.mfa, numericAcr: true },
      limits: { ...config.limits, addressFailures: 10_000 },
      login: { ...config.login, codes: 'on' },
    }),
  });
  steps = new SecondStepStory(gateway);
  passkeys = new PasskeyStory(gateway);
  codes = new MailedCodeStory(gateway);
});

afterAll(() => gateway.close());

/** Submits the password, then completes what `prove` shows if the page asks for it. */
function afterPassword(account: Account, prove?: (waiting: Waiting) => Promise<boolean>): Way {
  return async (request) => {
    const { browser, challenge, fields } = await steps.openLogin(request);
    const answer = await steps.signIn(browser, fields, account);
    if (answer.location !== stepAddress(challenge)) return { challenge };
    const waiting = await steps.openStep(browser, challenge);
    if (prove && (await prove(waiting))) return { challenge };
    const { view } = waiting.state;
    return { challenge, isAsked: view.startsWith('enrol') ? '*set-up*' : `*asked for* ${NAMES[view] ?? view}` };
  };
}

const NAMES: Readonly<Record<string, string>> = { passkey: 'the passkey', fido2: 'the key', totp: 'the code' };

async function proveByKey(deviation: RegistrationDeviation): Promise<Way> {
  const { account, key } = await steps.createKeyHolder(undefined, deviation);
  return afterPassword(account, async (waiting) => {
    const { body } = await call(waiting, SERVER_PATHS.mfaVerifyFido2, await steps.answerWithKey(waiting, key, deviation));
    const form = { ...waiting.fields, mfa_token: String(body['token']) };
    const { status } = await waiting.browser.post(PATHS.mfaVerify, form);
    return status === 303;
  });
}

const WAYS: readonly (readonly [name: string, way: () => Promise<Way>])[] = [
  ['password', async () => afterPassword(await gateway.account(`only.password.${(count += 1)}`))],
  ['password, the account has a passkey', async () => afterPassword((await passkeys.createHolder()).account)],
  [
    'password and code',
    async () => {
      const { account, app } = await steps.createPerson();
      return afterPassword(account, async ({ browser, fields }) => {
        gateway.clock.advanceSeconds(60);
        const { status } = await browser.post(PATHS.mfaVerify, { ...fields, method: 'totp', code: app.code() });
        return status === 303;
      });
    },
  ],
  ['password and key, touched', () => proveByKey({ flags: ['up'] })],
  ['password and key with PIN', () => proveByKey({ flags: ['up', 'uv'] })],
  ['password and synced key with PIN', () => proveByKey({ flags: ['up', 'uv', 'be', 'bs'] })],
  ['code by mail', async () => proveByMailedCode(await gateway.account(`only.mail.${(count += 1)}`, newMailbox()))],
  [
    'code by mail and code of an app',
    async () => {
      const { account, app } = await steps.createPerson();
      await gateway.get(Accounts).update(account.id, newMailbox(), { actor: 'operator' });
      return proveByMailedCode(account, async ({ browser, fields }) => {
        gateway.clock.advanceSeconds(60);
        const { status } = await browser.post(PATHS.mfaVerify, { ...fields, method: 'totp', code: app.code() });
        return status === 303;
      });
    },
  ],
  ['passkey on one device', async () => proveByPasskey(FLAGS.device)],
  ['passkey that may be synced', async () => proveByPasskey(['up', 'uv', 'be'])],
  ['passkey that is synced', async () => proveByPasskey(FLAGS.synced)],
];

const newMailbox = () => ({ email: `mail${(count += 1)}@example.org`, emailVerified: true });

/** Enters a mailed code, then completes what `prove` shows if the page asks for it. */
function proveByMailedCode(account: Account, prove?: (waiting: Waiting) => Promise<boolean>): Way {
  return async (request) => {
    const opened = await steps.openLogin(request);
    const answer = await codes.signIn(opened, account.username);
    const { browser, challenge } = opened;
    if (answer.status === 403) return { challenge, isAsked: '*asked for* the password' };
    if (prove && answer.location === stepAddress(challenge)) await prove(await steps.openStep(browser, challenge));
    return { challenge };
  };
}

async function proveByPasskey(flags: NonNullable<RegistrationDeviation['flags']>): Promise<Way> {
  const passkey = await passkeys.createHolder({ flags });
  return async (request) => passkeys.signIn(passkey, request);
}

async function findOutcome(way: Way, asked: Asked, isRequired: boolean): Promise<{ cell: string; amr: string }> {
  const { parameters, ...request } = asked;
  const client = gateway.hydra.client({
    foyer: { confirmSession: false, returnUrls: [], ...(isRequired ? { mfa: 'required' } : {}) },
  });
  const requestUrl = gateway.hydra.requestUrl(parameters);
  const { challenge, isAsked } = await way({ ...request, client, requestUrl });
  if (passkeys.findRejected(challenge).length > 0) return { cell: '*refused*', amr: '' };
  const [accepted] = passkeys.findAccepted(challenge);
  if (!accepted) return { cell: isAsked ?? '*asked again*', amr: '' };
  const { acr, amr } = accepted.authentication;
  return { cell: `\`${acr.replace('urn:foyer:acr:', '')}\``, amr: amr.join(' ') };
}

/** @returns the cells that the page has for a way and a policy, after these two */
function findDocumented(page: string, name: string, policy: string): string[] {
  const lines = page.split('\n').map((line) => line.slice('| '.length, -' |'.length).split(' | '));
  const found = lines.find(([way, policies = '']) => way === name && policies.split(' or ').includes(policy));
  return found?.slice(2) ?? [];
}

/** @param documented the cells of the page, which are kept where nothing is asked */
async function row(way: Way, documented: readonly string[], { isRequired, isAsked }: Sample): Promise<string> {
  const [documentedAmr = '–', ...cells] = documented;
  const amrs = new Set<string>();
  for (const [index, [, asked]] of REQUESTS.entries()) {
    if (!isAsked(index)) continue;
    const { cell, amr } = await findOutcome(way, asked, isRequired);
    cells[index] = cell;
    if (amr !== '') amrs.add(amr);
  }
  const amr = amrs.size > 0 ? [...amrs].map((methods) => `\`${methods}\``).join(', ') : IS_ALL ? '–' : documentedAmr;
  return [amr, ...cells].join(' | ');
}

interface Sample {
  isRequired: boolean;
  /** @param request its position in `REQUESTS` */
  isAsked(request: number): boolean;
}

async function rows(page: string): Promise<string[]> {
  const headings = ['way', 'factor', '`amr`', ...REQUESTS.map(([heading]) => heading)];
  const lines = [`| ${headings.join(' | ')} |`, `|${' --- |'.repeat(headings.length)}`];
  for (const [position, [name, begin]] of WAYS.entries()) {
    const find = async (policy: string, turn: number): Promise<string> => {
      const isAsked = (request: number): boolean => IS_ALL || (position + request) % 2 === turn;
      return row(await begin(), findDocumented(page, name, policy), { isRequired: policy === 'required', isAsked });
    };
    const [optional, required] = [await find('optional', 0), await find('required', 1)];
    if (optional === required) lines.push(`| ${name} | optional or required | ${optional} |`);
    else lines.push(`| ${name} | optional | ${optional} |`, `| ${name} | required | ${required} |`);
  }
  return lines;
}

it(
  'docs/authentication.md lists what every way of signing in proves',
  async () => {
    const page = readText(PAGE);
    const renewed = withGeneratedPart(page, MARKS, buildMarkedTable(MARKS, await rows(page)));
    if (IS_UPDATE) writeFileSync(join(PROJECT, PAGE), renewed);
    else expect(page).toBe(renewed);
  },
  TIMEOUT_MS,
);
