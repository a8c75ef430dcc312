/** An address of a domain leads from the login form to the provider or the source that has the domain (PRV-5). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PATHS } from '../../src/contract/paths.js';
import { FakeUserSource } from '../../src/sources/fake-user-source.js';
import { PASSWORD } from '../support/gateway.js';
import { ProviderStory } from '../support/provider-story.js';

const THERE = 'linde kupfer 1284';

let story: ProviderStory;
let staff: FakeUserSource;
let shop: FakeUserSource;
let count = 0;

beforeAll(async () => {
  staff = new FakeUserSource('staff');
  shop = new FakeUserSource('shop');
  shop.domains = ['shop.example'];
  story = await ProviderStory.start({
    sources: [staff, shop],
    config: ({ login }) => ({ login: { ...login, byEmail: true, remember: 'ask' } }),
  });
  story.providers.setDomains('google', ['people.example']);
  story.providers.setDomains('apple', ['orchard.example']);
});
afterAll(() => story.gateway.close());
beforeEach(() => {
  for (const source of [staff, shop]) source.calls.length = 0;
});

const PERSON = { emailVerified: false, isActive: true, attributes: {}, password: THERE };

async function submit(username: string, password = 'guessed', more: Record<string, string> = {}) {
  const browser = story.gateway.browser({ 'accept-language': 'en', 'x-forwarded-for': `192.0.2.${(count += 1)}` });
  const challenge = story.request();
  const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
  const { xsrf_token: _xsrf, ticket } = page.state('login').login;
  const fields = { _xsrf, ticket, login_challenge: challenge, username, password, ...more };
  return { page, browser, challenge, answer: await browser.post(PATHS.loginNative, fields) };
}

describe('[PRV-5] an address of a domain of a provider', () => {
  it('leads there with the address as login_hint, with and without a password', async () => {
    for (const password of ['', 'guessed']) {
      const { page, browser, challenge, answer } = await submit('Anna@PEOPLE.example', password, { remember: 'true' });
      expect(page.state('login').login).toMatchObject({ by: 'email', by_domain: true });
      expect(answer.status).toBe(303);
      const url = new URL(answer.location ?? '', 'http://foyer.example');
      expect([url.pathname, Object.fromEntries(url.searchParams)]).toEqual([
        '/login/google',
        { login_challenge: challenge, remember: 'true', login_hint: 'Anna@PEOPLE.example' },
      ]);
      const started = await browser.get(answer.location ?? '');
      expect([started.status, new URL(started.location ?? '').hostname]).toEqual([303, 'google.example']);
      expect(story.providers.requests.at(-1)?.loginHint).toBe('Anna@PEOPLE.example');
    }
  });

  it('gives the same answer for addresses that exist and that do not, and checks and counts no password', async () => {
    const own = { email: 'local@people.example', emailVerified: true };
    await story.gateway.account('has.local', own);
    staff.people.push({ ...PERSON, subject: 'id-1', username: 'staff@people.example' });
    const answers = [];
    for (const [name, password] of [
      ['local@people.example', PASSWORD],
      ['staff@people.example', THERE],
      ['nobody@people.example', 'guessed'],
    ] as const) {
      const { answer } = await submit(name, password);
      const url = new URL(answer.location ?? '', 'http://foyer.example');
      answers.push([answer.status, url.pathname, [...url.searchParams.keys()], answer.setCookies.map((cookie) => cookie.name)]);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect([staff.calls, shop.calls]).toEqual([[], []]);
    // The password of the account here works with the username, which is not an address.
    const { answer, challenge } = await submit('has.local', PASSWORD);
    expect([answer.status, story.findAccepted(challenge)]).toMatchObject([303, [{ authentication: { amr: ['pwd'] } }]]);
  });

  it('does not lead there for other domains, subdomains and names', async () => {
    for (const name of [
      'anna@mail.people.example',
      'anna@example',
      'people.example',
      '@people.example',
      'anna@people.example.evil.example',
    ]) {
      const { answer } = await submit(name);
      expect([name, answer.status, answer.state('login').login.error]).toEqual([name, 422, 'credentials']);
    }
  });

  it('leaves out the address where it is too long, and still asks for a password where the page itself asks for it', async () => {
    const { answer } = await submit(`${'a'.repeat(400)}@people.example`);
    expect(answer.location).toMatch(/^\/login\/google\?login_challenge=[^&]*$/);
    const { answer: page } = await submit('anna@people.example', 'guessed', { password_here: 'true' });
    expect([page.status, page.state('login').login]).toMatchObject([422, { error: 'credentials', password_here: true }]);
  });

  it.each(['urn:foyer:acr:pwd', 'urn:foyer:acr:mfa'])(
    'asks for the password of the account if the provider alone is not enough for %s, also after a reload',
    async (acr) => {
      const account = await story.createPerson();
      const { browser, fields, answer } = await story.signIn(await story.connect(account), 'google', { acrValues: [acr] });
      const reloaded = await story.callBack('google', browser, fields);
      for (const page of [answer, reloaded]) {
        expect(page.state('login').login).toMatchObject({ error: 'own-proof', password_here: true });
      }
    },
  );

  it('does not begin for a request that is not open', async () => {
    const { browser, answer } = await submit('anna@people.example');
    expect(answer.status).toBe(303);
    const stranger = await submit('anna@people.example', 'guessed', { login_challenge: 'unknown' });
    expect(stranger.answer.status).toBe(400);
    expect(
      (await browser.post(PATHS.loginNative, { login_challenge: 'unknown', username: 'anna@people.example' })).status,
    ).not.toBe(303);
  });
});

describe('[PRV-5] an address of a domain of a source', () => {
  it('is asked for only there', async () => {
    shop.people.push({ ...PERSON, subject: 's-1', username: 'cara', email: 'cara@shop.example' });
    staff.people.push({ ...PERSON, subject: 't-1', username: 'other', email: 'cara@shop.example', password: 'another one 77' });
    const { answer } = await submit('cara@shop.example', 'another one 77');
    expect(answer.status).toBe(422);
    expect([staff.calls, shop.calls]).toEqual([[], ['find', 'verify']]);
    expect((await submit('Cara@SHOP.example', THERE)).answer.status).toBe(303);
    // The username of the new account is looked up everywhere, but no password is sent.
    expect(new Set(staff.calls)).toEqual(new Set(['find']));
  });

  it('gets the same calls for nobody, and other names are asked for at all sources', async () => {
    expect((await submit('nobody@shop.example')).answer.status).toBe(422);
    expect([staff.calls, shop.calls]).toEqual([[], ['find', 'verify-dummy']]);
    await submit('nobody');
    expect(staff.calls).toEqual(['find', 'verify-dummy']);
    expect(shop.calls.slice(2)).toEqual(['find', 'verify-dummy']);
  });
});
