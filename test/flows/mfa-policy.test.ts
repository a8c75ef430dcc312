/** When a second factor is required in every kind of sign-in (MFV-7, S-58), and how strong the login is reported to be. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { ChallengeExpired } from '../../src/hydra/hydra.errors.js';
import type { LoginRequest } from '../../src/hydra/hydra.port.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { SecondStepStory, call, stepAddress, type PersonWithApp } from '../support/second-step.js';
import type { TestBrowser, TestPage } from '../support/test-browser.js';

const MFA = 'urn:foyer:acr:mfa';
const PHRH = 'urn:foyer:acr:phrh';
const PHR = 'urn:foyer:acr:phr';

let gateway: TestGateway;
let story: SecondStepStory;
let maria: PersonWithApp;
let strict: Partial<LoginRequest>;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
  story = new SecondStepStory(gateway);
  maria = await story.createPerson('maria.musterfrau');
  const client = gateway.hydra.client({ foyer: { confirmSession: false, returnUrls: [], mfa: 'required' } });
  strict = { client };
});

afterAll(() => gateway.close());

function freshCode({ app }: PersonWithApp): string {
  gateway.clock.advanceSeconds(60);
  return app.code();
}

/** Signs in completely. @returns the browser, and a function that asks again in its session */
async function signInFully(account: Account, prove?: () => string) {
  const sessionId = `sid-${(count += 1)}`;
  const { browser, fields, challenge } = await story.openLogin({ sessionId });
  const answer = await story.signIn(browser, fields, account);
  if (prove) {
    expect(answer.location).toBe(stepAddress(challenge));
    const step = await story.openStep(browser, challenge);
    await browser.post(PATHS.mfaVerify, { ...step.fields, code: prove() });
  }
  expect(story.findAccepted(challenge)).toHaveLength(1);
  return {
    browser,
    askAgain: (more: Partial<LoginRequest> = {}) => askAgain(browser, { sessionId, subject: account.id, ...more }),
  };
}

async function askAgain(browser: TestBrowser, more: Partial<LoginRequest>) {
  const challenge = `again-${(count += 1)}`;
  gateway.hydra.addLogin({ challenge, skip: true, ...more });
  return { challenge, page: await browser.get(`${PATHS.login}?login_challenge=${challenge}`) };
}

describe('[MFV-7] a password alone', () => {
  it('is not enough for people with a factor, and S-58 for no client', async () => {
    const other = gateway.hydra.client({ id: 'other', name: 'Anderes Portal' });
    for (const more of [{}, { client: other }, { acrValues: ['urn:foyer:acr:pwd'] }]) {
      const waiting = await story.reachStep(maria.account, more);
      expect(story.findAccepted(waiting.challenge)).toEqual([]);
    }
  });

  it.each([
    ['the client', () => strict, 'client'],
    ['acr_values', () => ({ acrValues: [MFA] }), 'client'],
    ['acr_values that ask for a key', () => ({ acrValues: ['unknown', PHRH] }), 'client'],
  ])('[MFV-2] is not enough where %s requires more: a factor has to be set up', async (_who, more, by) => {
    const account = await gateway.account(`no.factor.${(count += 1)}`);
    const { state, challenge } = await story.reachStep(account, more());
    expect(state).toMatchObject({ totp_registered: false, fido2_registered: false, view: 'enrol', wanted_by: by });
    expect(state.enrol_token).toEqual(expect.any(String));
    expect(story.findAccepted(challenge)).toEqual([]);
  });

  it('[MFV-2] is not enough for an account that requires one', async () => {
    const account = await gateway.account('must.have');
    const change = gateway.database.db.updateTable('account').set({ second_factor: 'required' });
    await change.where('id', '=', account.id).execute();
    expect((await story.reachStep(account)).state).toMatchObject({ view: 'enrol', wanted_by: 'account' });
  });
});

describe('[MFV-7] a remembered session', () => {
  it('[LOG-10] continues if it began with a factor, and reports it again', async () => {
    const session = await signInFully(maria.account, () => freshCode(maria));
    const { challenge } = await session.askAgain({ ...strict, acrValues: [MFA] });
    expect(story.findAccepted(challenge)).toMatchObject([
      { authentication: { acr: MFA, amr: ['pwd', 'otp', 'mfa'], rememberForSeconds: 28_800 } },
    ]);
  });

  it('S-58 V27 does not continue if the client requires a factor and the session has none', async () => {
    const session = await signInFully(await gateway.account('plain.person'));
    expect(story.findAccepted((await session.askAgain()).challenge)).toHaveLength(1);
    const { page, challenge } = await session.askAgain(strict);
    expect(page.location).toBe(gateway.hydra.requestUrl({ foyer_prompt: 'login', prompt: 'login' }));
    expect(story.findAccepted(challenge)).toEqual([]);
  });

  it('S-58 does not continue for people who have set up a factor since', async () => {
    const account = await gateway.account('later.key');
    const session = await signInFully(account);
    await story.createKeyHolder(account);
    const { page, challenge } = await session.askAgain();
    expect(page.location).toBe(gateway.hydra.requestUrl({ foyer_prompt: 'login', prompt: 'login' }));
    expect(story.findAccepted(challenge)).toEqual([]);
  });

  it('[LOG-11] is refused without a page if the app uses prompt=none', async () => {
    const session = await signInFully(await gateway.account('silent.person'));
    const requestUrl = gateway.hydra.requestUrl({ prompt: 'none' });
    const { challenge } = await session.askAgain({ ...strict, requestUrl });
    expect(gateway.hydra.calls.at(-1)).toMatchObject({
      call: 'rejectLogin',
      challenge,
      rejection: { code: 'interaction_required' },
    });
  });

  it('S-15 S-58 does not continue with Proceed either', async () => {
    const account = await gateway.account('hint.person');
    const session = await signInFully(account);
    const { page, challenge } = await session.askAgain({ loginHint: 'somebody.else' });
    const { xsrf_token, ticket } = page.state('login_hint').login_hint;
    await story.createKeyHolder(account);
    const fields = { _xsrf: xsrf_token, ticket, login_challenge: challenge, user: account.id, proceed: 'true' };
    const answer = await session.browser.post(PATHS.loginProceed, fields);
    expect(answer.location).toBe(gateway.hydra.requestUrl({ foyer_prompt: 'login', prompt: 'login' }));
    expect(story.findAccepted(challenge)).toEqual([]);
  });

  it('[LOG-12] with "stay signed in" lasts a day with a factor, for the browser too, and the days of the setting without one', async () => {
    const { rememberForSeconds } = gateway.config.login;
    const stay = async (account: Account) => {
      const { browser, fields, challenge } = await story.openLogin();
      const typed = { ...fields, username: account.username, password: PASSWORD, remember: 'true' };
      return { browser, challenge, answer: await browser.post(PATHS.loginNative, typed) };
    };
    const lifetimes = ({ setCookies }: TestPage) =>
      setCookies.flatMap(({ name, maxAgeSeconds }) => (['foyer', 'foyer-session'].includes(name) ? [maxAgeSeconds] : []));
    const plain = await stay(await gateway.account('stays.plain'));
    expect(story.findAccepted(plain.challenge)).toMatchObject([{ authentication: { rememberForSeconds } }]);
    expect(lifetimes(plain.answer)).toEqual([rememberForSeconds, rememberForSeconds]);
    const { browser, challenge } = await stay(maria.account);
    const { fields } = await story.openStep(browser, challenge);
    const answer = await browser.post(PATHS.mfaVerify, { ...fields, code: freshCode(maria) });
    expect(rememberForSeconds).toBeGreaterThan(86_400);
    expect(story.findAccepted(challenge)).toMatchObject([{ authentication: { rememberForSeconds: 86_400 } }]);
    expect(lifetimes(answer)).toEqual([86_400, 86_400]);
  });

  it('ends after a day for people with a factor', async () => {
    const session = await signInFully(maria.account, () => freshCode(maria));
    gateway.clock.advanceSeconds(86_401);
    expect(story.findAccepted((await session.askAgain()).challenge)).toEqual([]);
  });
});

describe('a security key', () => {
  it('[MFV-4] [MFV-7] is proven with script and reported as a key', async () => {
    const { account, key } = await story.createKeyHolder();
    const waiting = await story.reachStep(account);
    expect(waiting.state).toMatchObject({ view: 'fido2', totp_registered: false, fido2_registered: true });
    const answer = await call(waiting, SERVER_PATHS.mfaVerifyFido2, await story.answerWithKey(waiting, key));
    expect(answer).toMatchObject({ status: 200, body: { token: expect.any(String) } });
    const mfa_token = String(answer.body['token']);
    expect((await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, mfa_token })).status).toBe(303);
    const amr = ['pwd', 'hwk', 'pop', 'user', 'mfa'];
    expect(story.findAccepted(waiting.challenge)).toMatchObject([{ authentication: { acr: PHR, amr } }]);
  });

  it('is refused with an assertion for another sign-in, and five of them close the sign-in', async () => {
    const { account, key } = await story.createKeyHolder();
    const other = await story.reachStep(account);
    const waiting = await story.reachStep(account);
    const foreign = await story.answerWithKey(other, key);
    expect(await call(waiting, SERVER_PATHS.mfaVerifyFido2, foreign)).toMatchObject({
      status: 422,
      body: { error: 'fido2 failed' },
    });
    for (const junk of [{}, [], { id: 1 }]) {
      expect((await call(waiting, SERVER_PATHS.mfaVerifyFido2, junk)).body).toEqual({ error: 'fido2 failed' });
    }
    expect(await call(waiting, SERVER_PATHS.mfaVerifyFido2, foreign)).toMatchObject({
      status: 401,
      body: { error: 'unauthorized' },
    });
  });

  it('[MFV-3] is offered beside the app; the address selects one', async () => {
    const both = await story.createPerson();
    await story.createKeyHolder(both.account);
    const { state, browser, challenge } = await story.reachStep(both.account);
    expect(state).toMatchObject({ view: 'choose', totp_registered: true, fido2_registered: true });
    for (const view of ['totp', 'fido2', 'recovery']) {
      expect((await story.openStep(browser, challenge, `&method=${view}`)).state.view).toBe(view);
    }
    expect((await story.openStep(browser, challenge, '&method=nonsense')).state.view).toBe('choose');
  });

  it('[MFV-7] is required if the request asks for one and there is one', async () => {
    const both = await story.createPerson();
    const { key } = await story.createKeyHolder(both.account);
    const waiting = await story.reachStep(both.account, { acrValues: [PHRH] });
    expect(waiting.state).toMatchObject({ view: 'fido2', totp_registered: false, recovery_codes_left: false });
    expect((await call(waiting, SERVER_PATHS.mfaVerifyTotp, { code: both.app.code() })).status).toBe(403);
    const form = await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, code: both.app.code() });
    expect(form.status).toBe(403);
    const { body } = await call(waiting, SERVER_PATHS.mfaVerifyFido2, await story.answerWithKey(waiting, key));
    await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, mfa_token: String(body['token']) });
    expect(story.findAccepted(waiting.challenge)).toMatchObject([{ authentication: { acr: PHRH } }]);
  });

  const findRefusal = (challenge: string) =>
    gateway.hydra.calls.flatMap((one) => (one.call === 'rejectLogin' && one.challenge === challenge ? [one.rejection.code] : []));

  it('[MFV-7] is refused after the password if the account cannot meet the request, and nothing weaker meets it', async () => {
    const { challenge, browser, fields } = await story.openLogin({ acrValues: [PHRH] });
    const answer = await story.signIn(browser, fields, maria.account);
    expect(answer.status).toBe(303);
    expect(findRefusal(challenge)).toEqual(['unmet_authentication_requirements']);
    expect(story.findAccepted(challenge)).toEqual([]);
    const waiting = await story.reachStep(maria.account, { acrValues: [PHRH, MFA] });
    await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, code: freshCode(maria) });
    expect(story.findAccepted(waiting.challenge)).toMatchObject([{ authentication: { acr: MFA } }]);
  });

  it('is recorded once for each refused request, with the reason', async () => {
    const { account } = await story.createPerson();
    const listReasons = async () => {
      const { entries } = await gateway.get(AuditLog).list(account.id);
      return entries.filter(({ kind }) => kind === 'sign-in.refused').map(({ detail }) => detail?.['reason']);
    };
    const { browser, fields } = await story.openLogin({ acrValues: [PHRH] });
    await Promise.all([1, 2].map(() => story.signIn(browser, fields, account)));
    expect(await listReasons()).toEqual(['unmet']);
    const rejectLogin = jest.spyOn(gateway.hydra, 'rejectLogin').mockRejectedValue(new ChallengeExpired('expired'));
    const other = await story.openLogin({ acrValues: [PHRH] });
    await story.signIn(other.browser, other.fields, account);
    rejectLogin.mockRestore();
    expect(await listReasons()).toEqual(['expired', 'unmet']);
  });

  it('[MFV-7] is phishing-resistant but not hardware if it is synced', async () => {
    const { account, key } = await story.createKeyHolder(undefined, { flags: ['up', 'uv', 'be', 'bs'] });
    const proveByKey = async (acrValues: string[]) => {
      const waiting = await story.reachStep(account, { acrValues });
      const assertion = await story.answerWithKey(waiting, key, { flags: ['up', 'uv', 'be', 'bs'] });
      const { body } = await call(waiting, SERVER_PATHS.mfaVerifyFido2, assertion);
      await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, mfa_token: String(body['token']) });
      return waiting.challenge;
    };
    const amr = ['pwd', 'swk', 'pop', 'user', 'pin', 'mfa'];
    expect(story.findAccepted(await proveByKey([PHR]))).toMatchObject([{ authentication: { acr: PHR, amr } }]);
    expect(story.findAccepted(await proveByKey([PHRH, PHR]))).toMatchObject([{ authentication: { acr: PHR } }]);
    const refused = await proveByKey([PHRH]);
    expect(story.findAccepted(refused)).toEqual([]);
    expect(findRefusal(refused)).toEqual(['unmet_authentication_requirements']);
  });

  it('[MFV-7] does not meet a request for hardware that verifies its user with a touch alone', async () => {
    const { account, key } = await story.createKeyHolder();
    const waiting = await story.reachStep(account, { acrValues: ['phrh'] });
    const touched = await call(waiting, SERVER_PATHS.mfaVerifyFido2, await story.answerWithKey(waiting, key, { flags: ['up'] }));
    const again = await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, mfa_token: String(touched.body['token']) });
    expect(again.status).toBe(422);
    const { body } = await call(waiting, SERVER_PATHS.mfaVerifyFido2, await story.answerWithKey(waiting, key));
    await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, mfa_token: String(body['token']) });
    expect(story.findAccepted(waiting.challenge)).toMatchObject([{ authentication: { acr: 'phrh' } }]);
  });

  it('cannot be requested for an account without one, and the answer says so', async () => {
    const waiting = await story.reachStep(maria.account);
    expect(await call(waiting, SERVER_PATHS.mfaInitFido2)).toMatchObject({ status: 404, body: { error: 'fido2 not found' } });
  });
});
