/** What the login page says while passwords are delayed, and that its offers admit the owner (security decision D7). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomToken } from '../../src/config/keys.js';
import type { Config } from '../../src/config/config.js';
import { PATHS } from '../../src/contract/paths.js';
import type { LoginState } from '../../src/contract/page-state.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { PasskeyStory } from '../support/passkeys.js';
import { ProviderStory } from '../support/provider-story.js';
import { NEW_PASSWORD, ResetStory } from '../support/resets.js';
import { SecondStepStory, loginFields } from '../support/second-step.js';
import type { TestBrowser, TestPage } from '../support/test-browser.js';
import { watchWait } from '../support/waits.js';

const FREE = 5;
const MAX_OF_NETWORK = 20;
const OWNERS_NETWORK = '198.51.100.7';
const LIMITS = ({ limits }: Config) => ({ ...limits, accountFreeFailures: FREE, addressFailures: MAX_OF_NETWORK });

let story: ProviderStory;
let gateway: TestGateway;
let strangers = 0;

beforeAll(async () => {
  story = await ProviderStory.start({ config: (config) => ({ limits: LIMITS(config), trustProxyHops: 1 }) });
  ({ gateway } = story);
});

afterAll(() => gateway.close());

const person = () => gateway.account(`paused.${randomToken(4).replaceAll(/[-_]/g, 'x')}`, { email: 'owner@example.org' });
const openBrowserAt = (address: string, own = gateway) => own.browser({ 'accept-language': 'en', 'x-forwarded-for': address });

async function signIn(username: string, password: string, browser: TestBrowser, own = gateway): Promise<TestPage> {
  const opened = await new SecondStepStory(own).openLogin({ challenge: `paused-${randomToken()}` }, browser);
  return browser.post(PATHS.loginNative, { ...opened.fields, username, password });
}

/** Each stranger has a different network. @returns a new browser of the owner, in which the name is delayed */
async function floodName(username: string, own = gateway): Promise<TestBrowser> {
  for (let guess = 0; guess < FREE; guess++) {
    await signIn(username, `wrong ${guess}`, openBrowserAt(`203.0.113.${(strangers = (strangers % 250) + 1)}`, own), own);
  }
  return openBrowserAt(OWNERS_NETWORK, own);
}

/** Wrong passwords for unknown names, from the network of the owner. */
async function fillNetwork(address: string): Promise<void> {
  for (let guess = 0; guess < MAX_OF_NETWORK; guess++) await signIn(`nobody.${guess}`, 'wrong', openBrowserAt(address));
}

async function reset(username: string, browser: TestBrowser): Promise<TestPage> {
  const resets = new ResetStory(gateway);
  const { fields } = await resets.openForm(await resets.requestToken(username, browser), browser);
  return browser.post(PATHS.passwordReset, fields);
}

/** The page without the values that are new in each answer. */
function withoutSecrets({ xsrf_token: _xsrf, login_challenge: _challenge, ticket: _ticket, passkey, ...rest }: LoginState) {
  const resetPath = rest.password_reset_url?.split('?')[0];
  return { ...rest, hasPasskey: passkey !== undefined, password_reset_url: resetPath };
}

describe('[LOG-17] while passwords are delayed', () => {
  it('the page says so and offers the other methods, for an unknown name too', async () => {
    const { username } = await person();
    const pages = [];
    for (const name of [username, 'nobody.at.all']) {
      const expectWait = watchWait();
      const page = await signIn(name, PASSWORD, await floodName(name));
      expectWait(page.state('login').login.retry_after, 30);
      pages.push(page);
    }
    for (const page of pages) {
      const { retry_after: seconds } = page.state('login').login;
      expect([page.status, page.headers.get('retry-after')]).toEqual([429, String(seconds)]);
      for (const words of [
        'data-code="limited"',
        'Signing in with a password is paused',
        `Please try again in ${seconds}\u00a0seconds.`,
        'Another browser that you’ve signed in with before doesn’t have to wait.',
        'What works right now:',
        'Use a passkey',
        'Sign in with Google',
        'Reset the password by e\u2011mail',
      ]) {
        expect(page.html).toContain(words);
      }
    }
    const [known, unknown] = pages.map((page) => ({
      ...withoutSecrets(page.state('login').login),
      username: '',
      retry_after: 0,
    }));
    expect(known).toMatchObject({ error: 'limited', limited: 'account', hasPasskey: true });
    expect(unknown).toEqual(known);
  });

  it('the page offers only the methods of the installation', async () => {
    const bare = await startTestGateway({
      config: (config) => ({
        limits: LIMITS(config),
        trustProxyHops: 1,
        mail: { from: config.mail.from },
        passkeys: { ...config.passkeys, mode: 'off' },
        providers: [],
      }),
    });
    const page = await signIn('nobody.at.all', PASSWORD, await floodName('nobody.at.all', bare), bare);
    expect(page.html).toContain('Signing in with a password is paused');
    for (const words of ['What works right now:', 'Use a passkey', 'Sign in with', 'Reset the password']) {
      expect(page.html).not.toContain(words);
    }
    await bare.close();
  });

  it('[PKY-1] a passkey admits the owner', async () => {
    const passkeys = new PasskeyStory(gateway);
    const passkey = await passkeys.createHolder({ account: await person() });
    const browser = await floodName(passkey.account.username);
    const page = await signIn(passkey.account.username, PASSWORD, browser);
    expect(page.status).toBe(429);
    const { passkey: offered, login_challenge: challenge } = page.state('login').login;
    const opened = { browser, page, challenge, fields: loginFields(page), request: offered!.request };
    expect((await passkeys.post(opened, passkey)).status).toBe(303);
    expect(passkeys.findAccepted(challenge)).toMatchObject([{ authentication: { subject: passkey.account.id } }]);
  });

  it.each([
    ['of the account', (username: string) => floodName(username)],
    ['of the network', (_: string) => fillNetwork('198.51.100.8').then(() => openBrowserAt('198.51.100.8'))],
  ])('[PRV-2] a provider admits the owner in spite of the limit %s', async (_, limit) => {
    const account = await person();
    const subject = await story.connect(account);
    const browser = await limit(account.username);
    const page = await signIn(account.username, PASSWORD, browser);
    expect(page.status).toBe(429);
    const { login_challenge: challenge } = page.state('login').login;
    const { answer } = await story.signIn(subject, 'google', { browser, challenge });
    expect([answer.status, story.findAccepted(challenge)]).toMatchObject([303, [{ authentication: { subject: account.id } }]]);
  });

  it('passkeys are delayed too and are not offered if the limit is that of the network', async () => {
    await fillNetwork('198.51.100.9');
    const page = await signIn('nobody.at.all', PASSWORD, openBrowserAt('198.51.100.9'));
    expect(page.status).toBe(429);
    expect(page.state('login').login.limited).toBe('network');
    const [ways = ''] = /What works right now:.*?<p class="or">/s.exec(page.html) ?? [];
    expect(page.html).toContain('Signing in with a password is paused');
    expect(ways).toContain('Reset the password by e\u2011mail');
    expect(ways).not.toContain('Use a passkey');
  });
});

describe('[LOG-17] [PWR-7] the browser in which the owner has set a new password with a link', () => {
  it('is admitted while strangers continue, and no other browser is', async () => {
    const { username } = await person();
    const browser = await floodName(username);
    expect((await signIn(username, PASSWORD, browser)).status).toBe(429);
    expect((await reset(username, browser)).status).toBe(303);
    const another = await floodName(username);
    expect((await signIn(username, NEW_PASSWORD, another)).status).toBe(429);
    expect((await signIn(username, NEW_PASSWORD, browser)).status).toBe(303);
  });

  it('is admitted although its network is delayed', async () => {
    const { username } = await person();
    const browser = openBrowserAt('198.51.100.10');
    await fillNetwork('198.51.100.10');
    await reset(username, browser);
    expect((await signIn(username, NEW_PASSWORD, openBrowserAt('198.51.100.10'))).status).toBe(429);
    expect((await signIn(username, NEW_PASSWORD, browser)).status).toBe(303);
  });

  it('[S-44] has a new device id, because somebody may have copied the previous one', async () => {
    const { username } = await person();
    const browser = openBrowserAt(OWNERS_NETWORK);
    expect((await signIn(username, PASSWORD, browser)).status).toBe(303);
    const thief = browser.clone();
    await reset(username, browser);
    await floodName(username);
    expect((await signIn(username, NEW_PASSWORD, thief)).status).toBe(429);
    expect((await signIn(username, NEW_PASSWORD, browser)).status).toBe(303);
  });

  it('[S-45] still asks for the second factor', async () => {
    const { account } = await new SecondStepStory(gateway).createPerson(`paused.${randomToken(4).replaceAll(/[-_]/g, 'x')}`);
    await gateway.database.db.updateTable('account').set({ email: 'app@example.org' }).where('id', '=', account.id).execute();
    const browser = openBrowserAt(OWNERS_NETWORK);
    await reset(account.username, browser);
    expect((await signIn(account.username, NEW_PASSWORD, browser)).location).toContain(PATHS.mfaVerify);
  });
});
