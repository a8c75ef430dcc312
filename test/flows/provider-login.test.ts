/** Signing in with an account of a provider, over HTTP (PRV-1 … 4, LOG-2, LOG-7; docs/security.md, providers). */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { ExternalIdentities } from '../../src/accounts/identities/external-identities.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import { PATHS } from '../../src/contract/paths.js';
import { PASSWORD } from '../support/gateway.js';
import { toCallback, FORM_PROVIDER, ProviderStory } from '../support/provider-story.js';
import { SecondStepStory, stepAddress } from '../support/second-step.js';

let story: ProviderStory;
let steps: SecondStepStory;

beforeAll(async () => {
  story = await ProviderStory.start();
  steps = new SecondStepStory(story.gateway);
});

afterAll(() => story.gateway.close());
afterEach(() => {
  story.providers.setDown(false);
  story.gateway.hydra.fail(null);
});

const ALL = ['google', 'microsoft', FORM_PROVIDER, 'work'];
const toState = (url: string) => new URL(url).searchParams.get('state') ?? '';
const findKinds = async (id: string) =>
  (await story.gateway.get(AuditLog).list(id)).entries.map(({ kind, detail }) => [kind, detail]);

describe('the way to a provider', () => {
  it('[LOG-2] [GEN-2] is offered on the login page for each configured provider, but not for an invalid challenge', async () => {
    const browser = story.gateway.browser();
    const page = await browser.get(`${PATHS.login}?login_challenge=${story.request()}`);
    expect(page.state('login').login.providers?.map(({ id }) => id)).toEqual(ALL);
    const broken = await browser.get(`${PATHS.login}?login_challenge=unknown`);
    expect(broken.state('login').login.providers).toBeUndefined();
    expect(broken.html).not.toContain('/login/google');
  });

  it.each(ALL)(
    '[PRV-1] [PRV-3] %s: begins with a separate request, a state of 256 bits and nothing of the challenge',
    async (id) => {
      const { page, url, challenge } = await story.startAtProvider(id, { uiLocales: ['de'] });
      expect(page.status).toBe(303);
      expect(page.headers.get('cache-control')).toBe('no-store');
      expect(toState(url)).toMatch(/^[\w-]{43}$/);
      expect(url).not.toContain(challenge);
      expect(story.providers.requests.at(-1)).toMatchObject({
        provider: id,
        redirectUri: `${story.gateway.config.publicUrl}${toCallback(id)}`,
        uiLocales: ['de'],
      });
    },
  );

  it('[S-73] has no address for a provider that is not configured, or no longer', async () => {
    for (const id of ['unknown', 'GOOGLE', '__proto__', 'native2']) {
      const page = await story.gateway.browser().get(`${PATHS.login}/${id}?login_challenge=${story.request()}`);
      expect([id, page.status]).toEqual([id, 404]);
    }
    const departed = await story.startAtProvider('microsoft');
    const fields = story.providers.signIn(departed.url, await story.connect(await story.createPerson(), undefined, 'microsoft'));
    story.providers.setOff('microsoft', true);
    const answer = await story.callBack('microsoft', departed.browser, fields);
    story.providers.setOff('microsoft', false);
    expect(answer.status).toBe(404);
    expect(story.findAccepted(departed.challenge)).toEqual([]);
  });

  it('[LOG-5] does not begin for a challenge that is missing, unknown, expired or used', async () => {
    story.gateway.hydra.expire(story.request({ challenge: 'expired-at-start' }));
    const before = story.providers.requests.length;
    for (const query of ['', '?login_challenge=unknown', '?login_challenge=expired-at-start']) {
      const page = await story.gateway.browser().get(`${PATHS.login}/google${query}`);
      expect([page.status, page.state('login').login.error]).toEqual([400, 'challenge']);
    }
    expect(story.providers.requests).toHaveLength(before);
  });

  it('[PRV-4] [R-25] fails only for the provider that is down', async () => {
    story.providers.setDown(true);
    const { page, browser, challenge } = await story.startAtProvider('google');
    expect(page.status).toBe(503);
    expect(page.state('login').login).toMatchObject({ error: 'provider-down', provider: 'Google', login_challenge: challenge });
    const account = await story.createPerson();
    const { xsrf_token: _xsrf } = page.state('login').login;
    const fields = { _xsrf, login_challenge: challenge, username: account.username, password: PASSWORD };
    expect((await browser.post(PATHS.loginNative, fields)).status).toBe(303);
  });

  it('is limited for one address', async () => {
    const limited = await ProviderStory.start({ config: ({ limits }) => ({ limits: { ...limits, addressFailures: 1 } }) });
    for (let time = 0; time < 10; time++) expect((await limited.startAtProvider()).page.status).toBe(303);
    const { page } = await limited.startAtProvider();
    expect([page.status, page.state('login').login.error]).toEqual([429, 'limited']);
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
    await limited.gateway.close();
  });
});

describe('one connected account', () => {
  it.each(ALL)('[PRV-2] %s: is signed in by issuer and subject', async (id) => {
    const account = await story.createPerson();
    const { answer, challenge } = await story.signIn(await story.connect(account, undefined, id), id);
    expect(answer.status).toBe(303);
    expect(story.findAccepted(challenge)).toMatchObject([
      {
        authentication: {
          subject: account.id,
          amr: ['fed'],
          acr: 'urn:foyer:acr:fed',
          remember: true,
          rememberForSeconds: 28_800,
        },
      },
    ]);
    expect(answer.setCookies.map(({ name }) => name)).toEqual(expect.arrayContaining(['foyer', 'foyer-device']));
    expect(await findKinds(account.id)).toContainEqual(['provider.ok', { provider: id }]);
  });

  it('[PRV-3] [S-73] is found by nothing else: no subject of another issuer, no other subject, no e-mail address', async () => {
    const account = await story.createPerson({ email: 'maria@example.org', emailVerified: true });
    // The subject contains letters of both cases, because a random one might not.
    const subject = await story.connect(account, 'Subject-4f7Q', 'google');
    for (const [provider, who] of [
      ['microsoft', subject],
      ['google', `${subject}x`],
      ['google', subject.toUpperCase()],
      ['google', 'maria@example.org'],
    ] as const) {
      const departed = await story.startAtProvider(provider);
      const fields = story.providers.signIn(departed.url, who, { label: 'maria@example.org' });
      const answer = await story.callBack(provider, departed.browser, fields);
      expect([answer.status, answer.state('login').login.error]).toEqual([422, 'credentials']);
      expect(story.findAccepted(departed.challenge)).toEqual([]);
    }
  });

  it('[PRV-2] [S-58] needs its second factor, and both are reported', async () => {
    const { account, app } = await steps.createPerson();
    const { answer, challenge, browser } = await story.signIn(await story.connect(account));
    expect(answer.location).toBe(stepAddress(challenge));
    expect(story.findAccepted(challenge)).toEqual([]);
    const waiting = await steps.openStep(browser, challenge);
    const done = await browser.post(PATHS.mfaVerify, { ...waiting.fields, method: 'totp', code: app.code() });
    expect(done.status).toBe(303);
    expect(story.findAccepted(challenge)).toMatchObject([
      { authentication: { subject: account.id, amr: ['fed', 'otp', 'mfa'], acr: 'urn:foyer:acr:mfa' } },
    ]);
  });

  it('[PRV-1] is signed in on a page from before another person proved a first factor but not the second', async () => {
    const { browser, challenge } = await steps.reachStep((await steps.createPerson()).account);
    const account = await story.createPerson();
    const { answer } = await story.signIn(await story.connect(account), 'google', { browser, challenge });
    expect(answer.status).toBe(303);
    expect(story.findAccepted(challenge)).toMatchObject([{ authentication: { subject: account.id, amr: ['fed'] } }]);
  });

  it('[S-58] has to set up a factor if the app requires one', async () => {
    const account = await story.createPerson();
    const client = story.gateway.hydra.client();
    const more = { client: { ...client, foyer: { ...client.foyer, mfa: 'required' as const } } };
    const subject = await story.connect(account);
    await story.removePassword(account);
    const { answer, challenge, browser } = await story.signIn(subject, 'google', more);
    expect(answer.location).toBe(stepAddress(challenge));
    expect((await steps.openStep(browser, challenge)).state.view).toBe('enrol');
  });

  it('[LOG-12] applies "stay signed in" with script, and the setting if it is fixed', async () => {
    const subject = await story.connect(await story.createPerson());
    const asked = await story.signIn(subject, 'google', { query: '&remember=true' });
    expect(story.findAccepted(asked.challenge)).toMatchObject([{ authentication: { rememberForSeconds: 30 * 86_400 } }]);
    const fixed = await ProviderStory.start({ config: ({ login }) => ({ login: { ...login, remember: 'off' } }) });
    const other = await fixed.signIn(await fixed.connect(await fixed.createPerson()), 'google', { query: '&remember=true' });
    expect(fixed.findAccepted(other.challenge)).toMatchObject([{ authentication: { rememberForSeconds: 28_800 } }]);
    await fixed.gateway.close();
  });

  it('[LOG-10] is continued with the same proof', async () => {
    const account = await story.createPerson();
    const { challenge, browser } = await story.signIn(await story.connect(account), 'google', { sessionId: 'fed-session' });
    const skip = story.request({ skip: true, subject: account.id, sessionId: 'fed-session' });
    expect((await browser.get(`${PATHS.login}?login_challenge=${skip}`)).status).toBe(303);
    const [first] = story.findAccepted(challenge);
    expect(story.findAccepted(skip)).toMatchObject([{ authentication: { amr: ['fed'], acr: first?.authentication.acr ?? '' } }]);
  });

  it('is chosen at the provider again when the app asks for a new sign-in', async () => {
    const requestUrl = `${story.gateway.config.hydra.publicUrl}/oauth2/auth?client_id=x&prompt=login`;
    await story.startAtProvider('google', { requestUrl });
    expect(story.providers.requests.at(-1)?.chooseAccount).toBe(true);
    await story.startAtProvider('google');
    expect(story.providers.requests.at(-1)?.chooseAccount).toBe(false);
  });
});

describe('no account that may sign in', () => {
  it('[LOG-7] [PRV-2] shows the provider on the login page of the same request', async () => {
    const { answer, challenge } = await story.signIn('nobody-knows-me', 'microsoft');
    expect(answer.status).toBe(422);
    expect(answer.state('login').login).toMatchObject({
      error: 'credentials',
      provider: 'Microsoft',
      login_challenge: challenge,
    });
    expect(answer.html).toContain('Login with Microsoft failed!');
    expect(answer.html).toContain('connect Microsoft in the account settings');
    expect(story.findAccepted(challenge)).toEqual([]);
  });

  it('shows the request id, with which an operator finds the refusal, and none where nothing is recorded', async () => {
    const { answer } = await story.signIn('nobody-knows-me-either');
    const { request_id: requestId = '' } = answer.state('login').login;
    expect(answer.html).toContain(requestId);
    const { entries } = await story.gateway.get(AuditLog).search({ requestId });
    expect(entries.map(({ kind, detail }) => [kind, detail?.['reason']])).toEqual([['provider.refused', 'not connected']]);
    const unknown = await story.gateway.browser().get(`${PATHS.login}?login_challenge=unknown`);
    expect(unknown.state('login').login).not.toHaveProperty('request_id');
  });

  it('[LOG-7] shows the same after a reload, only in this browser, and without a call to the provider', async () => {
    const { answer, fields, browser } = await story.signIn('nobody-knows-me');
    const again = await story.callBack('google', browser, fields);
    const stranger = await story.callBack('google', story.gateway.browser(), fields);
    const [first, second] = [answer, again].map((page) => [page.status, page.state('login').login.error]);
    expect(second).toEqual(first);
    expect(again.state('login').login).toMatchObject({ error: 'credentials', provider: 'Google' });
    expect(stranger.state('login').login.error).toBe('challenge');
  });

  it('[LOG-7] [PRV-1] shows the same if the provider responds with a form', async () => {
    const { url, browser } = await story.startAtProvider(FORM_PROVIDER);
    const posted = await story.postCallback(browser, story.providers.signIn(url, 'nobody-knows-me'));
    const looks = [await browser.get(posted.location ?? ''), await browser.get(posted.location ?? '')];
    expect(looks.map((page) => [page.status, page.state('login').login.error])).toEqual([
      [422, 'credentials'],
      [422, 'credentials'],
    ]);
  });

  it('[LOG-7] answers for a disabled account as for none', async () => {
    const account = await story.createPerson();
    const subject = await story.connect(account);
    await story.gateway.get(Accounts).setStatus(account.id, 'disabled');
    const { answer, challenge } = await story.signIn(subject);
    expect([answer.status, answer.state('login').login.error]).toEqual([422, 'credentials']);
    expect(story.findAccepted(challenge)).toEqual([]);
  });

  it('[S-78] is not caused by wrong passwords of strangers, which a sign-in with a provider does not reset', async () => {
    const strict = await ProviderStory.start({
      config: ({ limits }) => ({ limits: { ...limits, accountFreeFailures: 3, accountStopAt: 2 } }),
    });
    const account = await strict.createPerson();
    const subject = await strict.connect(account);
    const signInByPassword = async (password: string) => {
      const browser = strict.gateway.browser();
      const login_challenge = strict.request();
      const page = await browser.get(`${PATHS.login}?login_challenge=${login_challenge}`);
      const { xsrf_token: _xsrf } = page.state('login').login;
      return browser.post(PATHS.loginNative, { _xsrf, login_challenge, username: account.username, password });
    };
    for (let time = 0; time < 3; time++) await signInByPassword('wrong');
    const { answer, challenge } = await strict.signIn(subject);
    expect([answer.status, strict.findAccepted(challenge).length]).toEqual([303, 1]);
    expect((await signInByPassword(PASSWORD)).status).toBe(422);
    await strict.gateway.get(Accounts).setStatus(account.id, 'disabled');
    expect((await strict.signIn(subject)).answer.status).toBe(422);
    await strict.gateway.close();
  });

  it('[S-44] ends a waiting sign-in after a reset, after disconnecting and after disabling', async () => {
    const ends: ((id: string) => Promise<unknown>)[] = [
      (id) => story.gateway.get(SetPassword).setPassword(id, 'silber ahorn 7733'),
      (id) =>
        story.gateway.get(ExternalIdentities).disconnect({
          accountId: id,
          provider: 'google',
          providerName: 'Google',
          auditContext: { actor: 'operator' },
          offeredMethods: null,
        }),
      (id) => story.gateway.get(Accounts).setStatus(id, 'disabled'),
    ];
    for (const end of ends) {
      const { account, app } = await steps.createPerson();
      const { challenge, browser } = await story.signIn(await story.connect(account));
      const waiting = await steps.openStep(browser, challenge);
      await end(account.id);
      const done = await browser.post(PATHS.mfaVerify, { ...waiting.fields, method: 'totp', code: app.code() });
      expect(done.status).not.toBe(303);
      expect(story.findAccepted(challenge)).toEqual([]);
    }
  });
});

describe('an invalid answer', () => {
  const lost = { error: 'challenge' };

  it('[S-69] with a missing, empty, changed, repeated or unknown state calls no provider', async () => {
    const { browser, url } = await story.startAtProvider();
    const { state, code } = story.providers.signIn(url, await story.connect(await story.createPerson())) as {
      state: string;
      code: string;
    };
    const before = story.providers.exchangedCodes;
    for (const query of [
      '',
      `code=${code}`,
      `state=&code=${code}`,
      `state=${state}x&code=${code}`,
      `state=${state}&state=${state}&code=${code}`,
    ]) {
      const page = await browser.get(`${toCallback('google')}?${query}`);
      expect([query, page.status]).toEqual([query, 400]);
      expect(page.state('login').login).toMatchObject(lost);
      expect(page.state('login').login.restart_url).toContain('/oauth2/auth');
    }
    expect(story.providers.exchangedCodes).toBe(before);
    expect((await story.callBack('google', browser, { state, code })).status).toBe(303);
  });

  it('[S-69] [S-70] with the state of another browser or provider, a used or an old one is refused', async () => {
    const subject = await story.connect(await story.createPerson());
    const { browser, url, challenge } = await story.startAtProvider();
    const fields = story.providers.signIn(url, subject);
    const before = story.providers.exchangedCodes;
    const foreign = await story.callBack('google', story.gateway.browser(), fields);
    expect(foreign.state('login').login).toMatchObject(lost);
    const mixedUp = await story.callBack('microsoft', browser, fields);
    expect(mixedUp.state('login').login).toMatchObject(lost);
    expect(story.providers.exchangedCodes).toBe(before);
    expect((await story.callBack('google', browser, fields)).status).toBe(303);
    for (const who of [browser, browser.clone()]) {
      expect((await story.callBack('google', who, fields)).state('login').login).toMatchObject(lost);
    }
    expect(story.findAccepted(challenge)).toHaveLength(1);

    const late = await story.startAtProvider();
    const lateFields = story.providers.signIn(late.url, subject);
    story.gateway.clock.advanceSeconds(601);
    expect((await story.callBack('google', late.browser, lateFields)).state('login').login).toMatchObject(lost);
    expect(story.findAccepted(late.challenge)).toEqual([]);
  });

  it('[S-69] of twenty at the same moment leads to one sign-in', async () => {
    const { browser, url, challenge } = await story.startAtProvider();
    const fields = story.providers.signIn(url, await story.connect(await story.createPerson()));
    const answers = await Promise.all(Array.from({ length: 20 }, () => story.callBack('google', browser.twin(), fields)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(story.findAccepted(challenge)).toHaveLength(1);
  });

  it('[S-70] with the code of an attacker and the state of the victim proves nothing, and uses up the state', async () => {
    const victim = await story.startAtProvider();
    const attacker = await story.startAtProvider();
    const { code = '' } = story.providers.signIn(attacker.url, await story.connect(await story.createPerson()));
    const answer = await story.callBack('google', victim.browser, { state: toState(victim.url), code });
    expect([answer.status, answer.state('login').login.error]).toEqual([422, 'provider-refused']);
    expect(story.findAccepted(victim.challenge)).toEqual([]);
  });

  it('[PRV-4] [S-73c] of a cancelled sign-in is shown without an error, and error texts of a provider are never shown', async () => {
    const cancelled = await story.startAtProvider();
    const calm = await story.callBack('google', cancelled.browser, { state: toState(cancelled.url), error: 'access_denied' });
    expect([calm.status, calm.state('login').login.error]).toEqual([200, 'cancelled']);
    const { browser, url, challenge } = await story.startAtProvider();
    const hostile = '<script>alert(1)</script>';
    const fields = { state: toState(url), error: hostile, error_description: 'x'.repeat(5000), error_uri: 'javascript:alert(1)' };
    const answer = await story.callBack('google', browser, fields);
    expect(answer.state('login').login).toMatchObject({ error: 'provider-refused', login_challenge: challenge });
    expect(answer.html).not.toMatch(/alert\(1\)|xxxx|javascript:/);
    expect(JSON.stringify(story.gateway.logLines)).not.toContain('alert(1)');
  });

  it('[R-25] is reported for a provider that fails meanwhile and a challenge that expires meanwhile', async () => {
    const subject = await story.connect(await story.createPerson());
    const down = await story.startAtProvider();
    const fields = story.providers.signIn(down.url, subject);
    story.providers.setDown(true);
    expect((await story.callBack('google', down.browser, fields)).state('login').login.error).toBe('provider-down');
    story.providers.setDown(false);
    const dead = await story.startAtProvider();
    story.gateway.hydra.expire(dead.challenge);
    const answer = await story.callBack('google', dead.browser, story.providers.signIn(dead.url, subject));
    expect(answer.state('login').login).toMatchObject({ error: 'challenge', challenge_fault: 'expired' });
  });

  it('[LOG-14] does not take over a challenge that another browser uses, or that is finished', async () => {
    const account = await story.createPerson();
    const subject = await story.connect(account);
    const { browser, url, challenge } = await story.startAtProvider();
    const stranger = await story.gateway.browser().get(`${PATHS.login}?login_challenge=${challenge}`);
    expect(stranger.state('login').login).toMatchObject({ error: 'challenge', challenge_fault: 'no-cookies' });
    const otherTab = browser.clone();
    const page = await otherTab.get(`${PATHS.login}?login_challenge=${challenge}`);
    const { xsrf_token: _xsrf } = page.state('login').login;
    const password = { _xsrf, login_challenge: challenge, username: account.username, password: PASSWORD };
    expect((await otherTab.post(PATHS.loginNative, password)).status).toBe(303);
    const answer = await story.callBack('google', browser, story.providers.signIn(url, subject));
    expect(answer.state('login').login).toMatchObject({ error: 'challenge', challenge_fault: 'used' });
    expect(story.findAccepted(challenge)).toHaveLength(1);
  });
});
