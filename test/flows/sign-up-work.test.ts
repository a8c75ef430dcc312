/** The work that a browser does before a code is mailed (`SIGN_UP_WORK`), and the wait without script. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Config } from '../../src/config/config.js';
import { PATHS } from '../../src/contract/paths.js';
import { WORK_FIELDS, type RegistrationStepState, type WorkState } from '../../src/contract/registration-state.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { OutboxClaims } from '../../src/accounts/queue/outbox-claims.js';
import { RequestedMails } from '../../src/flows/sign-in/requested-mails.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { newPerson, signIn } from '../support/manage.js';
import { NewPerson, readError, readStep, toFormFields, toPath } from '../support/sign-up.js';
import { TestBrowser, type TestPage } from '../support/test-browser.js';

const SIGN_UP: NonNullable<Config['registration']['signUp']> = {
  fields: [{ name: 'username', kind: 'text', isRequired: true }],
  domains: [],
  deniedDomains: [],
  codesPerHour: 1000,
  workCost: 1,
};
/** The headers that a browser sends with a form of a page of Foyer. */
const OWN = { 'sec-fetch-site': 'same-origin' };
const WAIT_SECONDS = 20;
const HALF_HOUR = 1800;

let gateway: TestGateway;

const startGateway = (change: Partial<typeof SIGN_UP> = {}, beside?: TestGateway) =>
  startTestGateway({
    ...(beside ? { beside: beside.database, hydra: beside.hydra } : {}),
    config: (config) => ({
      limits: { ...config.limits, addressFailures: 1000 },
      registration: { hintNames: [], signUp: { ...SIGN_UP, ...change } },
    }),
  });

beforeAll(async () => {
  gateway = await startGateway();
});

afterAll(() => gateway.close());

function findWork(page: TestPage): WorkState {
  const step: RegistrationStepState = readStep(page);
  const work = 'work' in step ? step.work : undefined;
  if (!work) throw new Error('The page requires no work');
  return work;
}

async function solve({ challenge }: WorkState): Promise<string> {
  const solution = await solveChallenge({ challenge: challenge as Challenge, deriveKey });
  return JSON.stringify({ counter: solution?.counter, derivedKey: solution?.derivedKey });
}

const toFields = ({ token }: WorkState, solution = '') => ({ [WORK_FIELDS.token]: token, [WORK_FIELDS.solution]: solution });

/** Opens the first page, does its work and sends the details. */
async function enterWithWork(person: NewPerson): Promise<TestPage> {
  const work = findWork(await person.open(PATHS.registerDetails));
  return person.enterDetails(toFields(work, await solve(work)));
}

async function countMails({ gateway: at, details }: NewPerson): Promise<number> {
  await at.get(RequestedMails).waitForAll();
  const claims = at.get(OutboxClaims);
  const mails = await claims.claim(100);
  for (const mail of mails) await claims.markSent(mail);
  return mails.filter(({ recipient }) => recipient === details.email).length;
}

const SENT: [number, string] = [303, PATHS.registerCode];
const AGAIN = [422, 'details', 'work'];

describe('the work of a browser', () => {
  it('[JOI-46] is not required unless it is turned on', async () => {
    const { workCost: _, ...signUp } = SIGN_UP;
    const other = await startTestGateway({ config: () => ({ registration: { hintNames: [], signUp } }) });
    try {
      const person = new NewPerson(other);
      expect(readStep(await person.open(PATHS.registerDetails))).not.toHaveProperty('work');
      expect(toPath(await person.enterDetails())).toEqual(SENT);
      expect(readStep(await person.open(PATHS.registerCode))).not.toHaveProperty('work');
    } finally {
      await other.close();
    }
  });

  it('[JOI-46] is done before a code is mailed, and before another code', async () => {
    const person = new NewPerson(gateway);
    expect(toPath(await enterWithWork(person))).toEqual(SENT);
    expect(await countMails(person)).toBe(1);
    expect(readError(await person.post(PATHS.registerCodeAgain, {}, PATHS.registerCode))).toEqual([422, 'code', 'work']);
    expect(await countMails(person)).toBe(0);
    const work = findWork(await person.open(PATHS.registerCode));
    const again = await person.post(PATHS.registerCodeAgain, toFields(work, await solve(work)), PATHS.registerCode);
    expect(toPath(again)).toEqual(SENT);
    expect(toPath(await person.enterMailedCode())).toEqual([303, PATHS.registerPassword]);
  });

  it('[JOI-46] is kept when a field has a fault, and what was entered is shown again', async () => {
    const person = new NewPerson(gateway);
    const work = findWork(await person.open(PATHS.registerDetails));
    const fields = toFields(work, await solve(work));
    expect(readError(await person.enterDetails({ ...fields, detail_email: 'nobody' }))).toEqual([422, 'details', 'fields']);
    expect(toPath(await person.enterDetails(fields))).toEqual(SENT);
  });

  it('[JOI-46] is accepted for a request whose challenge is very long', async () => {
    const challenge = Buffer.alloc(4500, 'request').toString('base64url');
    gateway.hydra.addLogin({ challenge });
    const person = new NewPerson(gateway, gateway.browser(), challenge);
    await enterWithWork(person);
    expect(await countMails(person)).toBe(1);
  });

  it.each([
    ['no token', { [WORK_FIELDS.token]: '' }],
    ['a token of somebody else', { [WORK_FIELDS.token]: 'A'.repeat(200) }],
    ['a wrong key', { [WORK_FIELDS.solution]: JSON.stringify({ counter: 1, derivedKey: '00'.repeat(32) }) }],
    ['a wrong counter', { [WORK_FIELDS.solution]: JSON.stringify({ counter: -1, derivedKey: '00' }) }],
    ['no object', { [WORK_FIELDS.solution]: 'null' }],
    ['no JSON', { [WORK_FIELDS.solution]: '{' }],
    ['other types', { [WORK_FIELDS.solution]: '{"counter":"1","derivedKey":{}}' }],
  ])('[JOI-47] is not done with %s', async (_, change) => {
    const person = new NewPerson(gateway);
    const work = findWork(await person.open(PATHS.registerDetails));
    const page = await person.enterDetails({ ...toFields(work, await solve(work)), ...change });
    expect(readError(page)).toEqual(AGAIN);
    expect(page.html).toContain(person.details.email);
    expect(await countMails(person)).toBe(0);
  });

  it('[JOI-47] counts for one request in one browser, for half an hour', async () => {
    const owner = new NewPerson(gateway);
    const work = findWork(await owner.open(PATHS.registerDetails));
    const fields = toFields(work, await solve(work));
    expect(readError(await new NewPerson(gateway).enterDetails(fields))).toEqual(AGAIN);
    expect(readError(await new NewPerson(gateway, owner.browser).enterDetails(fields))).toEqual(AGAIN);
    gateway.clock.advance({ seconds: HALF_HOUR });
    expect(readError(await owner.enterDetails(fields))).toEqual(AGAIN);
  });

  it('[JOI-47] counts once, also at two gateways', async () => {
    const other = await startGateway({}, gateway);
    try {
      const person = new NewPerson(gateway);
      const work = findWork(await person.open(PATHS.registerDetails));
      const fields = toFields(work, await solve(work));
      const elsewhere = new NewPerson(
        other,
        new TestBrowser(other.url, { cookie: person.browser.cookies(PATHS.registerDetails).join('; ') }),
        person.challenge,
      );
      const pages = await Promise.all([person.enterDetails(fields), elsewhere.enterDetails(fields)]);
      expect(pages.map(({ status }) => status).toSorted()).toEqual([303, 422]);
      expect(readError(await person.enterDetails(fields))).toEqual(AGAIN);
    } finally {
      await other.close();
    }
  });
});

describe('the verification of the work', () => {
  it('[JOI-47] is bounded for a network, with right and wrong solutions', async () => {
    const other = await startTestGateway({
      config: ({ limits }) => ({
        limits: { ...limits, addressFailures: 3 },
        registration: { hintNames: [], signUp: SIGN_UP },
      }),
    });
    try {
      const wrong = JSON.stringify({ counter: 1, derivedKey: '00'.repeat(32) });
      const enterWrong = async () => {
        const person = new NewPerson(other);
        return person.enterDetails(toFields(findWork(await person.open(PATHS.registerDetails)), wrong));
      };
      expect(toPath(await enterWithWork(new NewPerson(other)))).toEqual(SENT);
      for (let tries = 0; tries < 2; tries += 1) expect(readError(await enterWrong())).toEqual(AGAIN);
      const limited = await enterWithWork(new NewPerson(other));
      expect(readError(limited)).toEqual([429, 'details', 'limited']);
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
      const events = (await other.get(AuditLog).search({ kinds: ['request.limited'] })).entries;
      expect(events.map(({ detail }) => detail)).toEqual([{ request: 'sign-up-work' }]);
      other.clock.advance({ seconds: 3601 });
      expect(toPath(await enterWithWork(new NewPerson(other)))).toEqual(SENT);
    } finally {
      await other.close();
    }
  });
});

describe('the wait without script', () => {
  it('[JOI-48] is named on the page, goes on after a press that was too early, and counts once', async () => {
    const person = new NewPerson(gateway);
    const work = findWork(await person.open(PATHS.registerDetails));
    expect(work.wait).toBe(WAIT_SECONDS);
    // The clock also runs by itself, so much of the wait is left.
    const restSeconds = WAIT_SECONDS - 1;
    gateway.clock.advance({ seconds: 1 });
    const early = await person.enterDetails(toFields(work));
    expect(readError(early)).toEqual(AGAIN);
    expect(findWork(early).wait).toBeGreaterThan(0);
    expect(findWork(early).wait).toBeLessThanOrEqual(restSeconds);
    gateway.clock.advance({ seconds: restSeconds });
    expect(toPath(await person.enterDetails(toFields(findWork(early))))).toEqual(SENT);
    expect(readError(await person.enterDetails(toFields(findWork(early))))).toEqual(AGAIN);
    expect(await countMails(person)).toBe(1);
  });

  it('[JOI-48] goes on in an older tab, whose form is from before the browser got another id', async () => {
    const person = new NewPerson(gateway);
    const shown = await person.open(PATHS.registerDetails);
    const account = await newPerson(gateway);
    await signIn(gateway, person.browser, account);
    const restSeconds = WAIT_SECONDS - 1;
    gateway.clock.advance({ seconds: 1 });
    const fields = { ...toFormFields(readStep(shown)), ...toFields(findWork(shown)), detail_email: person.details.email };
    const early = await person.browser.post(PATHS.registerDetails, { ...fields, detail_username: person.details.username }, OWN);
    expect(readError(early)).toEqual(AGAIN);
    expect(findWork(early).wait).toBeLessThanOrEqual(restSeconds);
  });

  it('[JOI-49] is enough for a part of the codes only, and work stays enough for the others', async () => {
    const other = await startGateway({ codesPerHour: 20 });
    try {
      const wait = async (): Promise<TestPage> => {
        const person = new NewPerson(other);
        const work = findWork(await person.open(PATHS.registerDetails));
        other.clock.advance({ seconds: WAIT_SECONDS });
        return person.enterDetails(toFields(work));
      };
      expect([(await wait()).status, (await wait()).status]).toEqual([303, 303]);
      const limited = await wait();
      expect(readError(limited)).toEqual([429, 'details', 'limited']);
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
      const [event] = (await other.get(AuditLog).search({ kinds: ['request.limited'] })).entries;
      expect(event?.detail).toEqual({ request: 'sign-up-wait' });
      expect(toPath(await enterWithWork(new NewPerson(other)))).toEqual(SENT);
    } finally {
      await other.close();
    }
  });
});
