import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BrowserSessions } from '../../src/accounts/sessions/browser-sessions.js';
import { PATHS } from '../../src/contract/paths.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import type { TestBrowser, TestPage } from '../support/test-browser.js';

let gateway: TestGateway;
let maria: string;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
  maria = (await gateway.account('maria.musterfrau')).id;
});

afterAll(() => gateway.close());

/** Opens the login page of a new request. */
async function openLogin(more: Parameters<TestGateway['hydra']['addLogin']>[0] | object = {}, browser = gateway.browser()) {
  const challenge = `login-${(count += 1)}`;
  gateway.hydra.addLogin({ challenge, ...more });
  const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
  return { browser, challenge, page, fields: toFields(page) };
}

function toFields(page: TestPage) {
  const { login } = page.state('login');
  return { _xsrf: login.xsrf_token, login_challenge: login.login_challenge, ticket: login.ticket };
}

function signIn(browser: TestBrowser, fields: Record<string, string>, username = 'maria.musterfrau', password = PASSWORD) {
  return browser.post(PATHS.loginNative, { ...fields, username, password });
}

const findAccepted = (challenge: string) =>
  gateway.hydra.calls.filter((call) => call.call === 'acceptLogin' && call.challenge === challenge);

/** Hydra forgets the next request right after it was read. */
function expireAfterRead() {
  const { hydra } = gateway;
  const getLogin = hydra.getLogin.bind(hydra);
  hydra.getLogin = (given) => {
    hydra.getLogin = getLogin;
    return getLogin(given).finally(() => hydra.expire(given));
  };
}

describe('the login page', () => {
  it('[LOG-1] [GEN-1] contains its state and a form that submits the named fields', async () => {
    const { page, challenge } = await openLogin();
    expect(page.status).toBe(200);
    expect(page.state('login').login).toMatchObject({ error: null, login_challenge: challenge, reg_hints: [] });
    expect(page.html).toMatch(
      /<form[^>]*method="post"[^>]*action="\/login\/native"|<form[^>]*action="\/login\/native"[^>]*method="post"/,
    );
    for (const name of ['username', 'password', 'login_challenge', '_xsrf']) expect(page.html).toContain(`name="${name}"`);
  });

  it('[LOG-13] fills in the username from login_hint and shows the client with its logo', async () => {
    const logoUri = 'https://app.example/logo.svg';
    const client = gateway.hydra.client({ name: 'Nordwest <Portal>', logoUri });
    const { page } = await openLogin({ loginHint: 'maria', client });
    expect(page.state('login').login).toMatchObject({
      username: 'maria',
      client: { name: 'Nordwest <Portal>', logo_url: logoUri },
    });
    expect(page.html).not.toContain('<Portal>');
  });

  it('[LOG-13] applies ui_locales after lng and before the cookie and the header', async () => {
    const german = gateway.browser({ 'accept-language': 'de' });
    expect((await openLogin({}, german)).page.state('login').locale).toBe('de');
    expect((await openLogin({ uiLocales: ['fr', 'en-GB'] }, german)).page.state('login').locale).toBe('en');
    const challenge = `login-${(count += 1)}`;
    gateway.hydra.addLogin({ challenge, uiLocales: ['en'] });
    const page = await german.get(`${PATHS.login}?login_challenge=${challenge}&lng=de`);
    expect(page.state('login')).toMatchObject({ locale: 'de', locale_source: 'query' });
    expect(page.setCookies.find(({ name }) => name === 'i18next')).toMatchObject({ value: 'de', path: '/', sameSite: 'Lax' });
  });

  it('[LOG-12] offers "stay signed in" by default and applies the choice', async () => {
    const { page, browser, fields, challenge } = await openLogin();
    expect(page.state('login').login).toMatchObject({ remember: 'ask', remember_checked: false });
    await browser.post(PATHS.loginNative, { ...fields, username: 'maria.musterfrau', password: PASSWORD, remember: 'true' });
    expect(findAccepted(challenge)).toMatchObject([
      { authentication: { remember: true, rememberForSeconds: gateway.config.login.rememberForSeconds } },
    ]);
  });
});

describe('signing in', () => {
  it('[LOG-9] accepts with subject, amr, acr and an explicit remember_for, and redirects to the upstream by 303', async () => {
    const { browser, fields, challenge } = await openLogin();
    const answer = await signIn(browser, fields);
    expect(answer.status).toBe(303);
    expect(answer.location).toMatch(/^http:\/\/localhost:4444\/oauth2\/auth\?.*login_verifier=/);
    expect(findAccepted(challenge)).toMatchObject([
      {
        authentication: {
          subject: maria,
          acr: 'urn:foyer:acr:pwd',
          amr: ['pwd'],
          remember: true,
          rememberForSeconds: gateway.config.login.sessionSeconds,
        },
      },
    ]);
  });

  it('gives the browser a new id at the sign-in, HttpOnly and Lax', async () => {
    const { page, browser, fields } = await openLogin();
    const before = page.setCookies.find(({ name }) => name === 'foyer');
    const answer = await signIn(browser, fields);
    const after = answer.setCookies.find(({ name }) => name === 'foyer');
    expect(before).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    expect(after).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    expect(after?.value).not.toBe(before?.value);
  });

  it('[LOG-6] shows "Login failed!" with the username kept and the password empty, also for an unknown name', async () => {
    const answers = [];
    for (const username of ['maria.musterfrau', 'nobody.at.all']) {
      const { browser, fields } = await openLogin({}, gateway.browser({ 'accept-language': 'en' }));
      answers.push(await signIn(browser, fields, username, 'wrong password'));
    }
    for (const answer of answers) {
      expect(answer.status).toBe(422);
      expect(answer.html).toContain('Login failed!');
      expect(answer.html).toContain('data-code="credentials"');
      expect(answer.html).not.toContain('wrong password');
    }
    expect(answers.map((answer) => answer.state('login').login.username)).toEqual(['maria.musterfrau', 'nobody.at.all']);
  });

  it('[LOG-8] requires username and password on the server too, and marks them as required in the form', async () => {
    const { page, browser, fields, challenge } = await openLogin();
    expect(page.html.match(/ required=""/g)?.length).toBeGreaterThanOrEqual(2);
    const answer = await browser.post(PATHS.loginNative, { ...fields, username: ' ' });
    expect(answer.status).toBe(422);
    expect(answer.state('login').login.missing).toEqual(['username', 'password']);
    expect(findAccepted(challenge)).toEqual([]);
  });

  it('delays after the fifth failure, shows for how long, and checks nothing meanwhile', async () => {
    await gateway.account('guessed.person');
    const { browser, fields, challenge } = await openLogin();
    for (let attempt = 0; attempt < 5; attempt++) await signIn(browser, fields, 'guessed.person', `wrong ${attempt}`);
    const answer = await signIn(browser, fields, 'guessed.person');
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.state('login').login.error).toBe('limited');
    gateway.clock.advanceSeconds(31);
    expect((await signIn(browser, fields, 'guessed.person')).status).toBe(303);
    expect(findAccepted(challenge)).toHaveLength(1);
  });
});

describe('an invalid challenge', () => {
  it.each([
    '',
    '?login_challenge=',
    '?login_challenge=unknown',
    '?login_challenge=a&login_challenge=b',
    '?login_challenge=%00%3Cscript%3E',
  ])('[LOG-5] %s shows the alert with the form disabled, status 400', async (query) => {
    const page = await gateway.browser({ 'accept-language': 'en' }).get(PATHS.login + query);
    expect(page.status).toBe(400);
    expect(page.state('login').login).toMatchObject({ error: 'challenge', challenge_fault: 'missing', login_challenge: '' });
    expect(page.html).toContain('Login-Challenge is empty or invalid!');
    expect(page.html).toMatch(/<fieldset[^>]*disabled/);
  });

  it('[LOG-5] offers "start again" to the stored request if it has expired, for the form and for the address', async () => {
    const { browser, fields, challenge } = await openLogin();
    gateway.hydra.expire(challenge);
    const posted = await signIn(browser, fields);
    expect(posted.status).toBe(400);
    expect(posted.state('login').login).toMatchObject({ challenge_fault: 'expired', restart_url: gateway.hydra.requestUrl() });
    const reloaded = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
    expect(reloaded.state('login').login.restart_url).toBe(gateway.hydra.requestUrl());
    const stranger = await gateway.browser().get(`${PATHS.login}?login_challenge=${challenge}`);
    expect(stranger.state('login').login.restart_url).toBeUndefined();
  });

  it('never links a request that does not belong to the upstream', async () => {
    const { browser, fields, challenge } = await openLogin({ requestUrl: 'https://evil.example/oauth2/auth' });
    gateway.hydra.expire(challenge);
    expect((await signIn(browser, fields)).html).not.toContain('evil.example');
  });
});

describe('one login at most', () => {
  it('[LOG-14] two clicks at the same moment get one answer', async () => {
    const { browser, fields, challenge } = await openLogin();
    const answers = await Promise.all([signIn(browser, fields), signIn(browser.twin(), fields)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(answers[0].location).toBe(answers[1].location);
    const ids = answers.map(({ setCookies }) => setCookies.find(({ name }) => name === 'foyer')?.value);
    expect(ids[0]).toBe(ids[1]);
    expect(findAccepted(challenge).length).toBeGreaterThan(0);
  });

  it('[LOG-14] S-10 another holder of the browser id does not get the answer, not even within the time for a double click', async () => {
    const { browser, fields, challenge } = await openLogin();
    const thief = browser.clone();
    const page = await thief.get(`${PATHS.login}?login_challenge=${challenge}`);
    const stolen = { ...toFields(page), username: 'maria.musterfrau', password: 'wrong' };
    expect((await signIn(browser, fields)).status).toBe(303);
    const answer = await thief.post(PATHS.loginNative, stolen);
    expect(answer.status).toBe(400);
    expect(answer.state('login').login.challenge_fault).toBe('used');
    expect(answer.setCookies.filter(({ name }) => name === 'foyer')).toEqual([]);
  });

  it('[LOG-14] the same form with the name of another person, after Back, does not get the answer', async () => {
    const { username } = await gateway.account('jonas.danach');
    const { browser, fields, challenge } = await openLogin();
    expect((await signIn(browser, fields)).status).toBe(303);
    const own = { 'sec-fetch-site': 'same-origin' };
    const answer = await browser.post(PATHS.loginNative, { ...fields, username, password: PASSWORD }, own);
    expect([answer.status, answer.state('login').login.challenge_fault]).toEqual([400, 'used']);
    expect(findAccepted(challenge)).toHaveLength(1);
  });

  it('a device id that somebody planted does not become known', async () => {
    const planted = 'Z'.repeat(43);
    const { browser, fields } = await openLogin({}, gateway.browser({ cookie: `foyer-device=${planted}` }));
    const answer = await signIn(browser, fields);
    const device = answer.setCookies.find(({ name }) => name === 'foyer-device')?.value;
    expect(device).toMatch(/^[\w-]{43}$/);
    expect(device).not.toBe(planted);
  });

  it('[LOG-14] a second submit after Back gets a page that explains it and leads on', async () => {
    const { browser, fields, challenge } = await openLogin();
    await signIn(browser, fields);
    gateway.clock.advanceSeconds(60);
    const again = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
    // Another language shows the same page with the same link.
    const english = again.state('login').app.language_links?.find(({ locale }) => locale === 'en')?.url ?? '';
    expect((await browser.get(english)).state('login').login.restart_url).toBe(gateway.hydra.requestUrl());
    expect(again.state('login').login).toMatchObject({ challenge_fault: 'used', restart_url: gateway.hydra.requestUrl() });
    const posted = await browser.post(PATHS.loginNative, {
      ...fields,
      _xsrf: again.state('login').login.xsrf_token,
      username: 'maria.musterfrau',
      password: PASSWORD,
    });
    expect(posted.status).toBe(400);
    expect(posted.state('login').login.challenge_fault).toBe('used');
    expect(findAccepted(challenge)).toHaveLength(1);
  });

  it('[LOG-14] a challenge that another browser opened cannot be used', async () => {
    const { browser, fields, challenge } = await openLogin();
    await signIn(browser, fields, 'maria.musterfrau', 'wrong');
    const { browser: other } = await openLogin();
    const page = await other.get(`${PATHS.login}?login_challenge=${challenge}`);
    expect(page.state('login').login.challenge_fault).toBe('foreign');
    expect(findAccepted(challenge)).toEqual([]);
  });
});

describe('a session that the upstream remembers', () => {
  /** Signs in with "stay signed in" and returns a request with `skip` of that session. */
  async function signInRemembered(parameters: Record<string, string> = {}, more: object = {}) {
    const { browser, fields, challenge } = await openLogin({ sessionId: `sid-${count}` });
    await browser.post(PATHS.loginNative, { ...fields, username: 'maria.musterfrau', password: PASSWORD, remember: 'true' });
    const accepted = findAccepted(challenge)[0];
    if (accepted?.call !== 'acceptLogin') throw new Error('The login was not accepted');
    const { subject } = accepted.authentication;
    const next = `login-${(count += 1)}`;
    const { sessionId } = await gateway.hydra.getLogin(challenge);
    gateway.hydra.addLogin({
      challenge: next,
      skip: true,
      subject,
      sessionId,
      requestUrl: gateway.hydra.requestUrl(parameters),
      ...more,
    });
    return { browser, subject, challenge: next, page: await browser.get(`${PATHS.login}?login_challenge=${next}`) };
  }

  it('[LOG-10] continues with the same subject, amr and acr, without a page', async () => {
    const { page, challenge, subject } = await signInRemembered();
    expect(page.status).toBe(303);
    expect(findAccepted(challenge)).toMatchObject([{ authentication: { subject, acr: 'urn:foyer:acr:pwd', amr: ['pwd'] } }]);
  });

  it('[LOG-10] says that the request has expired if Hydra forgets it while the session continues', async () => {
    const { browser, challenge } = await signInRemembered({}, { loginHint: 'somebody.else' });
    gateway.hydra.addLogin({ ...(await gateway.hydra.getLogin(challenge)), loginHint: 'maria.musterfrau' });
    expireAfterRead();
    const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
    expect([page.status, page.state('login').login.challenge_fault]).toEqual([400, 'expired']);
  });

  it('asks for the password again once the session was ended in Foyer', async () => {
    const { browser, subject, challenge } = await signInRemembered();
    await gateway.get(BrowserSessions).endForAccount(subject);
    const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
    expect(page.location).toBe(gateway.hydra.requestUrl({ foyer_prompt: 'login', prompt: 'login' }));
  });

  it.each([
    ['select_account', { prompt: 'select_account' }, {}],
    ['a hint at another account', {}, { loginHint: 'somebody.else' }],
  ])('[HNT-1] [HNT-2] shows the hint page for %s', async (_what, parameters, more) => {
    const { page, subject } = await signInRemembered(parameters, more);
    expect(page.state('login_hint').login_hint).toMatchObject({
      error: null,
      account: { id: subject, name: 'maria.musterfrau' },
    });
    expect(page.html).toMatch(new RegExp(`title="[^"]*${subject}"`));
  });

  it('[HNT-1] shows the hint page for a client that wants it, and not for a hint at the same account', async () => {
    const client = gateway.hydra.client({ foyer: { confirmSession: true, returnUrls: [] } });
    expect((await signInRemembered({}, { client })).page.state('login_hint').login_hint.account?.name).toBe('maria.musterfrau');
    for (const loginHint of ['Maria.Musterfrau', 'ＭＡＲＩＡ.musterfrau', ' ']) {
      expect([loginHint, (await signInRemembered({}, { loginHint })).page.status]).toEqual([loginHint, 303]);
    }
  });

  it('[HNT-3] continues once after Proceed', async () => {
    const { browser, page, subject, challenge } = await signInRemembered({}, { loginHint: 'somebody.else' });
    const { xsrf_token, ticket } = page.state('login_hint').login_hint;
    const fields = { _xsrf: xsrf_token, ticket, login_challenge: challenge, user: subject, proceed: 'true' };
    const answers = await Promise.all([
      browser.post(PATHS.loginProceed, fields),
      browser.twin().post(PATHS.loginProceed, fields),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(answers[0].location).toBe(answers[1].location);
  });

  it('[HNT-5] says that the request has expired if Hydra forgets it while Proceed is answered', async () => {
    const { browser, page, subject, challenge } = await signInRemembered({}, { loginHint: 'somebody.else' });
    const { xsrf_token: _xsrf } = page.state('login_hint').login_hint;
    expireAfterRead();
    const answer = await browser.post(PATHS.loginProceed, { _xsrf, login_challenge: challenge, user: subject });
    expect([answer.status, answer.state('login_hint').login_hint.challenge_fault]).toEqual([400, 'expired']);
  });

  it('continues without select_account in the request, which the upstream would refuse after the login', async () => {
    const { browser, page, subject, challenge } = await signInRemembered({ prompt: 'select_account' });
    const fields = { _xsrf: page.state('login_hint').login_hint.xsrf_token, login_challenge: challenge, user: subject };
    const answer = await browser.post(PATHS.loginProceed, fields);
    expect(answer.location).toBe(gateway.hydra.requestUrl());
    expect(findAccepted(challenge)).toEqual([]);
  });

  it('[S-15b] accepts no password for a request with a session, also after Proceed', async () => {
    const { browser, page, subject, challenge } = await signInRemembered({ prompt: 'select_account' });
    const { xsrf_token: _xsrf } = page.state('login_hint').login_hint;
    await browser.post(PATHS.loginProceed, { _xsrf, login_challenge: challenge, user: subject });
    const other = await gateway.account('somebody.else.here');
    const fields = { _xsrf, login_challenge: challenge, username: other.username, password: PASSWORD };
    const answer = await browser.post(PATHS.loginNative, fields);
    expect([answer.status, answer.location]).toEqual([303, `${PATHS.login}?login_challenge=${challenge}`]);
    expect(findAccepted(challenge)).toEqual([]);
  });

  it('[HNT-5] refuses another account than that of the session, and offers a new sign-in', async () => {
    const { browser, page, challenge } = await signInRemembered({}, { loginHint: 'somebody.else' });
    const { xsrf_token, other_account_url } = page.state('login_hint').login_hint;
    expect(other_account_url).toBe(gateway.hydra.requestUrl({ foyer_prompt: 'login', prompt: 'login' }));
    const answer = await browser.post(PATHS.loginProceed, {
      _xsrf: xsrf_token,
      login_challenge: challenge,
      user: 'another-account',
    });
    expect(answer.status).toBe(403);
    expect(findAccepted(challenge)).toEqual([]);
  });

  it('[HNT-5] asks for the password if the upstream has no session', async () => {
    const { browser, fields, challenge } = await openLogin();
    const answer = await browser.post(PATHS.loginProceed, { ...fields, user: 'anybody' });
    expect(answer.location).toBe(`${PATHS.login}?login_challenge=${challenge}`);
    expect(findAccepted(challenge)).toEqual([]);
  });

  it('[HNT-4] an unknown challenge shows the alert', async () => {
    const { browser, fields } = await openLogin();
    const answer = await browser.post(
      PATHS.loginProceed,
      { ...fields, login_challenge: 'unknown', user: 'x' },
      { 'accept-language': 'en' },
    );
    expect(answer.status).toBe(400);
    expect(answer.html).toContain('Login-Challenge is empty or invalid!');
    expect(answer.state('login_hint').login_hint.error).toBe('challenge');
  });
});

describe('a request with prompt=none', () => {
  it('[LOG-11] is rejected with login_required when nobody is signed in', async () => {
    const challenge = `login-${(count += 1)}`;
    gateway.hydra.addLogin({ challenge, requestUrl: gateway.hydra.requestUrl({ prompt: 'none' }) });
    const answer = await gateway.browser().get(`${PATHS.login}?login_challenge=${challenge}`);
    expect(answer.status).toBe(303);
    expect(gateway.hydra.calls.at(-1)).toMatchObject({ call: 'rejectLogin', challenge, rejection: { code: 'login_required' } });
  });

  it('[LOG-11] is rejected when the remembered session was ended in Foyer', async () => {
    const challenge = `login-${(count += 1)}`;
    const requestUrl = gateway.hydra.requestUrl({ prompt: 'none' });
    gateway.hydra.addLogin({
      challenge,
      skip: true,
      subject: '00000000-0000-4000-8000-000000000000',
      sessionId: 'gone',
      requestUrl,
    });
    await gateway.browser().get(`${PATHS.login}?login_challenge=${challenge}`);
    expect(gateway.hydra.calls.at(-1)).toMatchObject({ call: 'rejectLogin', challenge, rejection: { code: 'login_required' } });
  });
});
