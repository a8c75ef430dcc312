/** Details of a sign-up that are as long as a browser and a proxy accept, and longer ones. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomToken } from '../../src/config/keys.js';
import { PATHS } from '../../src/contract/paths.js';
import { RequestedMails } from '../../src/flows/sign-in/requested-mails.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { NewPerson, readStep } from '../support/sign-up.js';
import { TestBrowser, type TestPage } from '../support/test-browser.js';

/** 4 kB without the headers that servers between gateway and proxy may add. */
const MAX_BYTES = 4096 - 512;
const NAMES = Array.from({ length: 20 }, (_, index) => `field${index}`);
/** The longest text of a field. */
const FIELD_LENGTH = 200;

let gateway: TestGateway;
let count = 0;

/** A browser of a person behind a proxy with the certificate, which measures the headers of the answers. */
class MeasuringBrowser extends TestBrowser {
  readonly sizes: number[] = [];

  override async request(path: string, init: RequestInit = {}): Promise<TestPage> {
    const cookie = this.cookies(path).join('; ');
    const page = await super.request(path, { ...init, headers: { ...(init.headers as object), cookie } });
    const lines = [...page.headers].map(([name, value]) => name.length + value.length + 4);
    this.sizes.push(lines.reduce((sum, each) => sum + each, 'HTTP/1.1 200 OK\r\n\r\n'.length));
    return page;
  }
}

beforeAll(async () => {
  gateway = await startTestGateway({
    config: ({ accounts, limits }) => ({
      accounts: { ...accounts, schema: { properties: Object.fromEntries(NAMES.map((name) => [name, { type: 'string' }])) } },
      publicUrl: 'https://login.example.org',
      limits: { ...limits, addressFailures: 1000 },
      registration: {
        hintNames: [],
        signUp: {
          fields: NAMES.map((name) => ({ name, kind: 'text', isRequired: false })),
          domains: [],
          deniedDomains: [],
          codesPerHour: 1000,
        },
      },
    }),
  });
});

afterAll(() => gateway.close());

/**
 * @param email empty for a short address
 * @param challengeLength Hydra's challenges contain the whole request
 */
function createPerson(email = '', challengeLength = 1200): NewPerson & { browser: MeasuringBrowser } {
  const challenge = randomToken(challengeLength * 0.75);
  gateway.hydra.addLogin({ challenge });
  // All addresses of a test are equally long.
  const name = `nele${(count += 1) + 1000}`;
  const browser = new MeasuringBrowser(gateway.url, { 'x-forwarded-for': `192.0.2.${(count % 200) + 1}` });
  const person = new NewPerson(gateway, browser, challenge);
  Object.assign(person.details, { email: email === '' ? `${name}@example.org` : `${name}${email}` });
  return person as NewPerson & { browser: MeasuringBrowser };
}

/** Fills the fields with this number of characters in total. */
function fill(length: number): Record<string, string> {
  const texts = NAMES.map((_, index) => 'x'.repeat(Math.max(0, Math.min(FIELD_LENGTH, length - index * FIELD_LENGTH))));
  return Object.fromEntries(NAMES.map((name, index) => [`detail_${name}`, texts[index] ?? '']));
}

/** @returns the greatest number of characters that the form accepts */
async function findMostCharacters(email = ''): Promise<number> {
  let [accepted, refused] = [0, NAMES.length * FIELD_LENGTH];
  while (refused - accepted > 1) {
    const middle = Math.floor((accepted + refused) / 2);
    if ((await createPerson(email).enterDetails(fill(middle))).status === 422) refused = middle;
    else accepted = middle;
  }
  return accepted;
}

const toDetails = (page: TestPage): unknown => {
  const step = readStep(page);
  if (step.status !== 'details') return step.status;
  return [page.status, step.fields.filter(({ error }) => error !== undefined).map(({ error }) => error)];
};

describe('[JOI-8] long details', () => {
  it.each([
    ['an address', ''],
    ['a long address', `${'a'.repeat(50)}@${'b'.repeat(60)}.${'c'.repeat(60)}.example`],
  ])('that are accepted with %s pass all steps, and every answer fits into the buffer of a proxy', async (_what, email) => {
    const person = createPerson(email);
    await person.enterDetails(fill(await findMostCharacters(email)));
    // Two mails that are requested within a quarter of a second can be queued in either order.
    await gateway.get(RequestedMails).waitForAll();
    await person.post(PATHS.registerCodeAgain, {}, PATHS.registerCode);
    await person.enterMailedCode();
    expect(readStep(await person.open(PATHS.registerPassword)).status).toBe('password');
    expect(person.browser.sizes.filter((bytes) => bytes > MAX_BYTES)).toEqual([]);
    const last = await person.post(PATHS.registerPassword, { password: PASSWORD, password_repeat: PASSWORD });
    expect(last.location).toContain('login_verifier=');
  });

  it('that are too long after the address is proven are shown at their field, and nothing is lost', async () => {
    const person = createPerson();
    await person.prove();
    expect(toDetails(await person.enterDetails(fill(NAMES.length * FIELD_LENGTH)))).toEqual([422, ['too-long']]);
    expect(readStep(await person.open(PATHS.registerPassword)).status).toBe('password');
  });

  it('have the same limit for an app with a long request', async () => {
    const most = await findMostCharacters();
    const person = createPerson('', 6000);
    await person.enterDetails(fill(most));
    await person.enterMailedCode();
    expect(readStep(await person.open(PATHS.registerPassword)).status).toBe('password');
    expect(person.browser.sizes.filter((bytes) => bytes > MAX_BYTES)).toEqual([]);
  });
});
