/** Forms that have outlived their anti-forgery value, because the browser signed in in another window meanwhile. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { ManageUser, newPerson, signIn } from '../support/manage.js';
import { PASSWORD, startTestGateway } from '../support/gateway.js';
import type { TestGateway } from '../support/gateway.js';
import type { Fields, TestBrowser, TestPage } from '../support/test-browser.js';

/** What a browser says of a form that a page of this product sends. */
const OWN = { 'sec-fetch-site': 'same-origin' };
const STALE = `${PATHS.manage}?status=form-stale`;

let gateway: TestGateway;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterAll(() => gateway.close());

/** Two windows with a login form each; somebody has signed in in the other one. */
async function secondWindow() {
  const account = await newPerson(gateway);
  const browser = gateway.browser();
  const challenge = `stale-${(count += 1)}`;
  gateway.hydra.addLogin({ challenge });
  const { login } = (await browser.get(`${PATHS.login}?login_challenge=${challenge}`)).state('login');
  const { xsrf_token: _xsrf, ticket } = login;
  await signIn(gateway, browser, account);
  const fields: Fields = { _xsrf, ticket, login_challenge: challenge, username: account.username, remember: 'true' };
  return { account, browser, challenge, fields };
}

const accepted = (wanted: string) =>
  gateway.hydra.calls.filter((call) => call.call === 'acceptLogin' && call.challenge === wanted).length;

describe('a login form of an earlier window', () => {
  it('[LOG-14] comes again with what was typed, the password apart, and works then', async () => {
    const { browser, challenge, fields } = await secondWindow();
    const again = await browser.post(PATHS.loginNative, { ...fields, password: PASSWORD }, OWN);
    const { login } = again.state('login');
    expect([again.status, login.error, login.username, login.remember_checked]).toEqual([403, 'stale', fields['username'], true]);
    expect(again.html).not.toContain(PASSWORD);
    expect(accepted(challenge)).toBe(0);
    const answer = await browser.post(PATHS.loginNative, { ...fields, _xsrf: login.xsrf_token, password: PASSWORD }, OWN);
    // The other window had the newer request, so this one starts again.
    expect([answer.status, answer.location]).toEqual([303, gateway.hydra.requestUrl()]);
    gateway.hydra.addLogin({ challenge: `${challenge}-again` });
    await browser.get(`${PATHS.login}?login_challenge=${challenge}-again`);
    expect([accepted(challenge), accepted(`${challenge}-again`)]).toEqual([0, 1]);
  });

  it('[S-01] [S-03] looks at no password: wrong ones are not counted', async () => {
    const { account, browser, fields } = await secondWindow();
    for (let time = 0; time < 8; time++) {
      const again = await browser.post(PATHS.loginNative, { ...fields, password: 'wrong' }, OWN);
      expect(again.state('login').login.error).toBe('stale');
    }
    await signIn(gateway, gateway.browser(), account);
  });

  it('[S-01] [S-03] is refused without a page where the browser does not say that it is our own', async () => {
    const { browser, fields } = await secondWindow();
    const form = { ...fields, password: PASSWORD };
    const origin = gateway.config.publicUrl;
    const post = (from: TestBrowser, sent: Fields, headers: Record<string, string>) =>
      from.post(PATHS.loginNative, sent, headers);
    const refused = await Promise.all([
      post(browser, form, {}),
      post(browser, form, { 'sec-fetch-site': 'cross-site', origin }),
      post(browser, form, { 'sec-fetch-site': 'same-site', origin }),
      post(browser, form, { 'sec-fetch-site': 'none' }),
      post(browser, form, { origin: 'null' }),
      post(browser, form, { origin: 'https://evil.example' }),
      post(browser, { ...form, _xsrf: '' }, OWN),
      post(gateway.browser(), form, {}),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
    expect(refused.map((page) => page.state('server_error').server_error.code)).toEqual(refused.map(() => 'forbidden'));
    expect((await post(browser, form, { origin })).state('login').login.error).toBe('stale');
    // A browser that keeps no cookies would see the same form for ever.
    expect((await post(gateway.browser(), form, OWN)).state('login').login.challenge_fault).toBe('no-cookies');
  });
});

describe('the page that answers a form', () => {
  const selfOf = ({ html }: TestPage) => / data-self="([^"]*)"/.exec(html)?.[1];

  it('[LOG-14] names the address that shows it without sending the form again, where there is one', async () => {
    const challenge = `self-${(count += 1)}`;
    gateway.hydra.addLogin({ challenge });
    const browser = gateway.browser();
    const address = `${PATHS.login}?login_challenge=${challenge}`;
    const page = await browser.get(address);
    const { xsrf_token: _xsrf } = page.state('login').login;
    const fields = { _xsrf, login_challenge: challenge, username: 'nobody', password: 'wrong' };
    const refused = await browser.post(PATHS.loginNative, fields);
    expect([refused.status, selfOf(refused), selfOf(page)]).toEqual([422, address, undefined]);
    const user = await ManageUser.enter(gateway, { fresh: true });
    expect(selfOf(await user.post(PATHS.manageUsername, { username: '' }))).toBe(PATHS.manageUsername);
    expect(selfOf(await browser.post(PATHS.loginNative, { ...fields, _xsrf: '' }))).toBeUndefined();
    // A set-up that has begun: sent again it would begin anew, and a browser asks about that.
    expect(selfOf(await user.post(SERVER_PATHS.manageRegisterTotp))).toBeUndefined();
  });
});

describe('a form of the account area', () => {
  it('[MAN-14] leads to the first page, which says that nothing was done', async () => {
    const user = await ManageUser.enter(gateway, { fresh: true });
    const { area } = await user.page(PATHS.manage, 'manage');
    await signIn(gateway, user.browser, user.account);
    const fields = { _xsrf: area.xsrf_token, username: 'somebody.else' };
    for (const path of [PATHS.manageUsername, PATHS.manageLogout]) {
      const answer = await user.browser.post(path, fields, OWN);
      expect([answer.status, answer.location]).toEqual([303, STALE]);
      expect((await user.browser.post(path, fields)).status).toBe(403);
    }
    const { manage } = await user.page(STALE, 'manage');
    expect([manage.status, manage.username]).toEqual(['form-stale', user.account.username]);
    const stranger = gateway.browser();
    await stranger.get(PATHS.manage);
    expect((await stranger.post(PATHS.manageUsername, fields, OWN)).location).toBe(`${PATHS.manageError}unauthorized`);
  });
});
