/** An app that limits the age of the authentication, and a provider with its own session (LOG-13, PRV-2). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PATHS } from '../../src/contract/paths.js';
import { PASSWORD } from '../support/gateway.js';
import { ProviderStory } from '../support/provider-story.js';
import { SecondStepStory, stepAddress } from '../support/second-step.js';
import type { TestPage } from '../support/test-browser.js';

let story: ProviderStory;
let steps: SecondStepStory;

beforeAll(async () => {
  story = await ProviderStory.start();
  steps = new SecondStepStory(story.gateway);
});
afterAll(() => story.gateway.close());

const MONTH_SECONDS = 30 * 24 * 3600;
const buildRequest = (parameters: Record<string, string>) => ({ requestUrl: story.gateway.hydra.requestUrl(parameters) });
const secondsAgo = (seconds: number) => new Date(story.gateway.clock.now().getTime() - seconds * 1000);
const toEarlierProof = (seconds = MONTH_SECONDS) => ({ authTime: secondsAgo(seconds), isProvenNow: false });
const toLogin = (answer: TestPage) => answer.state('login').login;

describe('a request that limits the age of the authentication', () => {
  it.each([
    [{ prompt: 'login' }, 0],
    [{ max_age: '300' }, 300],
    [{ max_age: '0' }, 0],
    [{ prompt: 'login consent', max_age: '300' }, 0],
    // Foyer does not know what Hydra has fetched.
    [{ request_uri: 'https://app.example/request.jwt' }, 0],
  ])('[LOG-13] passes %j on to the provider', async (parameters, maxAgeSeconds) => {
    await story.startAtProvider('google', buildRequest(parameters));
    expect(story.providers.requests.at(-1)?.reauthentication).toEqual({ maxAgeSeconds });
  });

  it('[LOG-13] passes nothing on otherwise, or for a prompt of Foyer itself', async () => {
    for (const parameters of [{}, { prompt: 'login', foyer_prompt: 'login' }]) {
      await story.startAtProvider('google', buildRequest(parameters));
      expect(story.providers.requests.at(-1)?.reauthentication).toBeUndefined();
    }
  });

  it('[LOG-13] accepts a person who has just authenticated there', async () => {
    const subject = await story.connect(await story.createPerson());
    const { challenge } = await story.signIn(subject, 'google', buildRequest({ prompt: 'login' }));
    expect(story.findAccepted(challenge)).toHaveLength(1);
  });

  it.each<Record<string, string>>([{ prompt: 'login' }, { max_age: '300' }, { request_uri: 'https://app.example/request.jwt' }])(
    '[LOG-13] asks for the password after an earlier session: %j',
    async (parameters) => {
      for (const session of [toEarlierProof(), toEarlierProof(120), { authTime: null, isProvenNow: false }]) {
        const account = await story.createPerson();
        const more = { ...buildRequest(parameters), session };
        const { answer, browser, challenge } = await story.signIn(await story.connect(account), 'google', more);
        expect([answer.status, toLogin(answer).error, toLogin(answer).username]).toEqual([403, 'new-proof', account.username]);
        expect(story.findAccepted(challenge)).toEqual([]);
        const { xsrf_token: _xsrf, ticket } = toLogin(answer);
        const typed = { _xsrf, login_challenge: challenge, ticket, username: account.username, password: PASSWORD };
        expect((await browser.post(PATHS.loginNative, typed)).status).toBe(303);
        expect(story.findAccepted(challenge)).toMatchObject([{ authentication: { subject: account.id, amr: ['pwd'] } }]);
      }
    },
  );

  it('[LOG-13] refuses with an explanation if there is neither password nor factor', async () => {
    const account = await story.createPerson();
    const subject = await story.connect(account);
    await story.removePassword(account);
    const more = { ...buildRequest({ max_age: '300' }), session: toEarlierProof() };
    const { answer, challenge } = await story.signIn(subject, 'google', more);
    expect([answer.status, toLogin(answer).error, toLogin(answer).username]).toEqual([403, 'earlier-session', '']);
    expect(answer.html).toContain('Sign out at Google');
    expect(story.findAccepted(challenge)).toEqual([]);
  });

  it('[LOG-13] [MFV-7] accepts a second factor as the new proof, but not one that is set up now', async () => {
    const { account, app } = await steps.createPerson();
    const more = { ...buildRequest({ max_age: '300' }), session: toEarlierProof() };
    const { answer, browser, challenge } = await story.signIn(await story.connect(account), 'google', more);
    expect(answer.location).toBe(stepAddress(challenge));
    const { fields } = await steps.openStep(browser, challenge);
    await browser.post(PATHS.mfaVerify, { ...fields, method: 'totp', code: app.code() });
    expect(story.findAccepted(challenge)).toMatchObject([{ authentication: { amr: ['fed', 'otp', 'mfa'] } }]);
    const bare = await story.createPerson();
    const subject = await story.connect(bare);
    await story.removePassword(bare);
    const wanted = await story.signIn(subject, 'google', { ...more, acrValues: ['urn:foyer:acr:mfa'] });
    expect(toLogin(wanted.answer).error).toBe('earlier-session');
  });

  it('[LOG-13] accepts no factor that was removed before it was proven', async () => {
    const { account } = await steps.createPerson();
    const more = { ...buildRequest({ max_age: '300' }), session: toEarlierProof() };
    const { browser, challenge } = await story.signIn(await story.connect(account), 'google', more);
    const { fields } = await steps.openStep(browser, challenge);
    // The statement removes the factor without ending waiting sign-ins.
    await story.gateway.database.db.deleteFrom('totp_factor').where('account_id', '=', account.id).execute();
    const answer = await browser.post(PATHS.mfaVerify, { ...fields, mfa_token: 'nonsense' });
    expect([answer.status, story.findAccepted(challenge)]).toEqual([403, []]);
  });

  it('[LOG-13] [ACC-4] keeps the time while an account is chosen', async () => {
    const [one, other] = [await story.createPerson(), await story.createPerson()];
    const subject = await story.connect(one);
    await story.connect(other, subject);
    const more = { ...buildRequest({ prompt: 'login' }), session: toEarlierProof() };
    const { answer, browser, challenge } = await story.signIn(subject, 'google', more);
    const { accounts } = answer.state('accounts');
    const fields = { _xsrf: accounts.xsrf_token, login_challenge: challenge, token: accounts.token, ticket: accounts.ticket };
    const chosen = await browser.post(`${PATHS.login}/google${PATHS.providerAccount}`, { ...fields, username: other.id });
    expect([chosen.status, toLogin(chosen).error]).toEqual([403, 'new-proof']);
  });

  it('[LOG-13] accepts other requests as before, without a new authentication', async () => {
    const subject = await story.connect(await story.createPerson());
    const { challenge } = await story.signIn(subject, 'google', { session: toEarlierProof() });
    expect(story.findAccepted(challenge)).toHaveLength(1);
  });
});

describe('a session that began with an earlier one of a provider', () => {
  const continueSession = async (
    session: { authTime: Date | null; isProvenNow: boolean },
    parameters: Record<string, string>,
  ) => {
    const account = await story.createPerson();
    const sessionId = `aged-${account.id}`;
    const { browser } = await story.signIn(await story.connect(account), 'google', { sessionId, session });
    const skip = story.request({ skip: true, subject: account.id, sessionId, ...buildRequest(parameters) });
    const answer = await browser.get(`${PATHS.login}?login_challenge=${skip}`);
    return { answer, isAccepted: story.findAccepted(skip).length > 0 };
  };

  it('[LOG-10] [LOG-13] is older than the sign-in here: max_age counts from the authentication', async () => {
    const old = await continueSession(toEarlierProof(), { max_age: '300' });
    expect(old.isAccepted).toBe(false);
    expect(old.answer.location).toContain('prompt=login');
    expect(old.answer.location).toContain('max_age=300');
    expect((await continueSession({ authTime: null, isProvenNow: false }, { max_age: '300' })).isAccepted).toBe(false);
    expect((await continueSession(toEarlierProof(120), { max_age: '300' })).isAccepted).toBe(true);
    expect((await continueSession(toEarlierProof(), {})).isAccepted).toBe(true);
  });

  it('[S-144] is never recent enough for a request object that Foyer cannot read; after one more sign-in the app gets login_required', async () => {
    const byReference = { request_uri: 'https://app.example/request.jwt' };
    const old = await continueSession(toEarlierProof(), byReference);
    expect([old.isAccepted, old.answer.location]).toEqual([false, expect.stringContaining('prompt=login')]);
    const asked = Object.fromEntries(new URL(old.answer.location ?? '').searchParams);
    const again = await continueSession(toEarlierProof(), asked);
    expect(again.isAccepted).toBe(false);
    expect(story.gateway.hydra.calls.at(-1)).toMatchObject({ call: 'rejectLogin', rejection: { code: 'login_required' } });
  });

  it('[LOG-11] is answered with login_required for prompt=none', async () => {
    const { answer, isAccepted } = await continueSession(toEarlierProof(), { max_age: '300', prompt: 'none' });
    expect(isAccepted).toBe(false);
    expect(answer.status).toBe(303);
    expect(story.gateway.hydra.calls.at(-1)).toMatchObject({ call: 'rejectLogin', rejection: { code: 'login_required' } });
  });
});
