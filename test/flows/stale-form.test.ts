/** Forms whose anti-forgery value is outdated, because the browser signed in in another window meanwhile. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PasswordResets } from '../../src/accounts/password/resets.js';
import { FactorResets } from '../../src/mfa/factor-resets.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { ManageUser, newPerson, signIn } from '../support/manage.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { signInBrowser } from '../support/signed-in-browser.js';
import { SecondStepStory } from '../support/second-step.js';
import type { Fields, TestBrowser, TestPage } from '../support/test-browser.js';

/** The headers that a browser sends with a form of a page of Foyer. */
const OWN = { 'sec-fetch-site': 'same-origin' };
const STALE = `${PATHS.manage}?status=form-stale`;

let gateway: TestGateway;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterAll(() => gateway.close());

/** Opens two windows with a login form each, and signs in in the other one. */
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

const countAccepted = (wanted: string) =>
  gateway.hydra.calls.filter((call) => call.call === 'acceptLogin' && call.challenge === wanted).length;

describe('a login form of an earlier window', () => {
  it('[LOG-14] works with the right password at the first submit', async () => {
    const { browser, challenge, fields } = await secondWindow();
    const answer = await browser.post(PATHS.loginNative, { ...fields, password: PASSWORD }, OWN);
    // The other window had the newer request, so this one starts again.
    expect([answer.status, answer.location]).toEqual([303, gateway.hydra.requestUrl()]);
    gateway.hydra.addLogin({ challenge: `${challenge}-again` });
    await browser.get(`${PATHS.login}?login_challenge=${challenge}-again`);
    expect([countAccepted(challenge), countAccepted(`${challenge}-again`)]).toEqual([0, 1]);
  });

  it('[S-01] [S-03] is subject to the limits on guessing', async () => {
    const { browser, fields } = await secondWindow();
    const statuses: number[] = [];
    for (let time = 0; time < 6; time++) {
      statuses.push((await browser.post(PATHS.loginNative, { ...fields, password: 'wrong' }, OWN)).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  });

  it('[LOG-14] is shown again for a value that this browser never had, also if it has opened the request: no password is checked', async () => {
    const { browser, challenge, fields } = await secondWindow();
    const stranger = await secondWindow();
    for (const _xsrf of [stranger.fields['_xsrf'] ?? '', 'made-up']) {
      const again = await browser.post(PATHS.loginNative, { ...fields, _xsrf, password: PASSWORD }, OWN);
      expect([again.status, again.state('login').login.error]).toEqual([403, 'stale']);
    }
    expect(countAccepted(challenge)).toBe(0);
  });

  it('[S-01] [S-03] is shown again for a request that this browser did not open under its earlier id: no password is checked', async () => {
    const { account, browser, fields } = await secondWindow();
    const challenge = `stale-${(count += 1)}`;
    gateway.hydra.addLogin({ challenge });
    const form = { ...fields, login_challenge: challenge, ticket: '' };
    for (let time = 0; time < 8; time++) {
      const again = await browser.post(PATHS.loginNative, { ...form, password: 'wrong' }, OWN);
      const { login } = again.state('login');
      expect([again.status, login.error, login.username, login.remember_checked]).toEqual([403, 'stale', account.username, true]);
      expect(again.html).not.toContain('wrong');
    }
    const { login } = (await browser.post(PATHS.loginNative, { ...form, password: 'wrong' }, OWN)).state('login');
    const answer = await browser.post(PATHS.loginNative, { ...form, _xsrf: login.xsrf_token, password: PASSWORD }, OWN);
    expect(answer.status).toBe(303);
  });

  it('[S-01] [S-03] is refused without a page if the browser does not mark it as our own', async () => {
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
    // A browser without cookies would see the same form for ever.
    expect((await post(gateway.browser(), form, OWN)).state('login').login.challenge_fault).toBe('no-cookies');
    expect((await post(browser, form, { origin })).status).toBe(303);
  });
});

describe('the page that answers a form', () => {
  const findOwnAddress = ({ html }: TestPage) => / data-self="([^"]*)"/.exec(html)?.[1];

  it('[LOG-14] names the address that shows it without submitting the form again, if there is one', async () => {
    const challenge = `self-${(count += 1)}`;
    gateway.hydra.addLogin({ challenge });
    const browser = gateway.browser();
    const address = `${PATHS.login}?login_challenge=${challenge}`;
    const page = await browser.get(address);
    const { xsrf_token: _xsrf } = page.state('login').login;
    const fields = { _xsrf, login_challenge: challenge, username: 'nobody', password: 'wrong' };
    const refused = await browser.post(PATHS.loginNative, fields);
    expect([refused.status, findOwnAddress(refused), findOwnAddress(page)]).toEqual([422, address, undefined]);
    const user = await ManageUser.enter(gateway, { fresh: true });
    expect(findOwnAddress(await user.post(PATHS.manageUsername, { username: '' }))).toBe(PATHS.manageUsername);
    expect(findOwnAddress(await browser.post(PATHS.loginNative, { ...fields, _xsrf: '' }))).toBeUndefined();
    // The page of a set-up that had begun; submitting it again would restart it, and a browser asks about that.
    expect(findOwnAddress(await user.post(SERVER_PATHS.manageRegisterTotp))).toBeUndefined();
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

describe('a form of a logout in an earlier window', () => {
  const addLogout = (subject: string, sessionId: string) => {
    const challenge = `logout-${(count += 1)}`;
    gateway.hydra.addLogout({ challenge, subject, sessionId, rpInitiated: true, client: gateway.hydra.client() });
    return challenge;
  };
  const question = async (browser: TestBrowser, challenge: string) =>
    (await browser.get(`${PATHS.logout}?logout_challenge=${challenge}`)).state('logout').logout.xsrf_token;
  const callsFor = (challenge: string) =>
    gateway.hydra.calls.filter((call) => 'challenge' in call && call.challenge === challenge);

  it('[OUT-4] [LOG-14] reports that the person is signed out, or asks again; nothing is accepted or refused', async () => {
    const account = await newPerson(gateway);
    const { browser, sessionId } = await signInBrowser(gateway, { username: account.username });
    const [first, second] = [addLogout(account.id, sessionId), addLogout(account.id, sessionId)];
    const fields = { _xsrf: await question(browser, second), logout_challenge: second };
    const answer = await browser.post(
      PATHS.logoutAccept,
      { _xsrf: await question(browser, first), logout_challenge: first },
      OWN,
    );
    expect(answer.location).toContain('logout_verifier=');
    gateway.hydra.markUsed(first);
    for (const path of [PATHS.logoutAccept, PATHS.logoutReject]) {
      const late = await browser.post(path, fields, OWN);
      expect([late.status, late.location]).toEqual([303, PATHS.logoutCallback]);
    }
    expect(callsFor(second)).toEqual([]);
    expect((await browser.get(PATHS.logoutCallback)).state('logout').logout.status).toBe('accepted');
    await signIn(gateway, browser, account);
    expect((await browser.post(PATHS.logoutAccept, fields, OWN)).location).toBe(PATHS.logoutCallback);
    expect((await browser.get(PATHS.logoutCallback)).state('logout').logout).toMatchObject({ status: 'pending', local: true });
    expect((await browser.post(PATHS.logoutAccept, fields)).status).toBe(403);
  });
});

describe('the form of a mailed or handed-out link', () => {
  /** A browser whose form became outdated by a sign-in. */
  async function openOutdatedForm(show: (browser: TestBrowser) => Promise<string>) {
    const browser = gateway.browser();
    const _xsrf = await show(browser);
    await signIn(gateway, browser, await newPerson(gateway));
    return { browser, _xsrf };
  }

  it('[PWR-4] is shown again for a new password, with an explanation, and works then', async () => {
    const account = await newPerson(gateway);
    const { secret } = await gateway.get(PasswordResets).issue(account, { actor: 'operator' });
    const { browser, _xsrf } = await openOutdatedForm(async (shown) => {
      await shown.get(`${PATHS.passwordResetForm}?reset_token=${secret}`);
      return (await shown.get(PATHS.passwordResetForm)).state('password_reset_form').password_reset_form.xsrf_token;
    });
    const password = 'another password, long enough 47';
    const fields = { reset_token: secret, password, password_repeat: password };
    const again = await browser.post(PATHS.passwordReset, { ...fields, _xsrf }, OWN);
    const { error, xsrf_token } = again.state('password_reset_form').password_reset_form;
    expect([again.status, error]).toEqual([403, 'stale']);
    expect(again.html).not.toContain(password);
    const done = await browser.post(PATHS.passwordReset, { ...fields, _xsrf: xsrf_token }, OWN);
    expect(done.location).toBe(`${PATHS.passwordResetStatus}?status=success`);
    const late = await browser.post(PATHS.passwordReset, { ...fields, _xsrf }, OWN);
    expect(late.location).toBe(`${PATHS.passwordResetStatus}?status=error-token`);
  });

  it('[PWR-1] is shown again for the request of a mail, with the name', async () => {
    const { browser, _xsrf } = await openOutdatedForm(
      async (shown) =>
        (await shown.get(PATHS.passwordRequestForm)).state('password_request_form').password_request_form.xsrf_token,
    );
    const again = await browser.post(PATHS.passwordRequest, { _xsrf, username: 'maria' }, OWN);
    expect([again.status, again.state('password_request_form').password_request_form]).toMatchObject([
      403,
      { error: 'stale', username: 'maria' },
    ]);
  });

  it('[FAR-1] is shown again for a factor reset, and nothing is removed', async () => {
    const { account } = await new SecondStepStory(gateway).createPerson();
    const { secret } = await gateway.get(FactorResets).issue(account, { actor: 'operator' });
    const { browser, _xsrf } = await openOutdatedForm(async (shown) => {
      await shown.get(`${PATHS.mfaResetForm}?reset_token=${secret}`);
      return (await shown.get(PATHS.mfaResetForm)).state('mfa_reset_form').mfa_reset_form.xsrf_token;
    });
    const again = await browser.post(PATHS.mfaReset, { _xsrf, reset_token: secret }, OWN);
    const { error, xsrf_token } = again.state('mfa_reset_form').mfa_reset_form;
    expect([again.status, error]).toEqual([403, 'stale']);
    const done = await browser.post(PATHS.mfaReset, { _xsrf: xsrf_token, reset_token: secret }, OWN);
    expect(done.location).toBe(`${PATHS.mfaResetStatus}?status=success`);
  });

  it('[REG-1] leads from a registration with a value that this browser never had to the login page on which it began', async () => {
    const { browser, challenge } = await secondWindow();
    const stranger = await secondWindow();
    const again = await browser.post(PATHS.register, { _xsrf: stranger.fields['_xsrf'] ?? '', login_challenge: challenge }, OWN);
    expect([again.status, again.state('login').login.error]).toEqual([403, 'stale']);
  });
});
