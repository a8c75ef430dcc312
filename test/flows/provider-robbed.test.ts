/** An attacker with an identity at a provider: what they began ends once the owner disconnects the provider or secures the account. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account/accounts.js';
import { ManageSessionRecords } from '../../src/accounts/sessions/manage-sessions.js';
import { BrowserSessions } from '../../src/accounts/sessions/browser-sessions.js';
import { ExternalIdentities } from '../../src/accounts/identities/external-identities.js';
import { Factors } from '../../src/mfa/factors.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { ManageUser, accessToken } from '../support/manage.js';
import { NotMeStory } from '../support/not-me.js';
import { ProviderStory } from '../support/provider-story.js';
import { SecondStepStory, call, stepAddress } from '../support/second-step.js';
import type { TestBrowser } from '../support/test-browser.js';
import { TotpApp } from '../../test-kit/totp-app.js';
import type { TotpSetupState } from '../../src/contract/mfa-state.js';

const DISCONNECTED = `${PATHS.manage}?status=oauth-disconnect-success`;
/** Connects another identity. */
const PROVIDER = 'work';
const connectAt = (provider: string) => `${PATHS.manageOauth}/${provider}/connect`;
const OUTSIDE = `${PATHS.manageError}unauthorized`;

let story: ProviderStory;
let steps: SecondStepStory;

beforeAll(async () => {
  story = await ProviderStory.start();
  steps = new SecondStepStory(story.gateway);
});

afterAll(() => story.gateway.close());

/** The owner is in the account area, and the identity of an attacker is connected. */
async function plantIdentity(): Promise<{ owner: ManageUser; subject: string }> {
  const account = await story.createPerson({ email: 'owner@example.org' });
  return { owner: await ManageUser.enter(story.gateway, { account, fresh: true }), subject: await story.connect(account) };
}

async function disconnectGoogle(owner: ManageUser): Promise<void> {
  expect((await owner.post(`${PATHS.manageOauth}/google/disconnect`)).location).toBe(DISCONNECTED);
}

async function enterManage(account: Account, browser: TestBrowser): Promise<ManageUser> {
  expect((await browser.get(`${PATHS.manage}?t=${accessToken(story.gateway, account)}`)).location).toBe(PATHS.manage);
  return new ManageUser(story.gateway, account, browser);
}

describe('a provider that the owner disconnects', () => {
  it('[S-73] [S-44] lets nobody set up a factor who signed in with it and waits: not by form, not by call', async () => {
    const { owner, subject } = await plantIdentity();
    const client = story.gateway.hydra.client();
    const strict = { ...client, foyer: { ...client.foyer, mfa: 'required' as const } };
    // The password would be asked for first if there were one.
    await story.connect(owner.account, undefined, 'microsoft');
    await story.removePassword(owner.account);
    const thief = await story.signIn(subject, 'google', { client: strict });
    const { state, fields, browser } = await steps.openStep(thief.browser, thief.challenge);
    expect(state.view).toBe('enrol');
    await browser.post(SERVER_PATHS.mfaEnrolTotp, fields);
    const begun = await steps.openStep(browser, thief.challenge, '&setup=totp');
    const app = new TotpApp((begun.state.setup as TotpSetupState | undefined)?.secret ?? '', story.gateway.clock);
    await disconnectGoogle(owner);
    await browser.post(SERVER_PATHS.mfaEnrolTotp, { ...fields, code: app.code() });
    expect(await story.gateway.get(Factors).readCounts(owner.account.id)).toEqual({});
    const byCall = await call(
      { browser, state },
      `${PATHS.manageRpc}/mfa-init-totp`,
      {},
      { authorization: `Bearer ${state.enrol_token ?? ''}` },
    );
    expect(byCall.status).toBe(401);
    expect((await browser.get(stepAddress(thief.challenge))).state('mfa_verification').mfa_verification.token).toBeFalsy();
  });

  it('[S-73] [MAN-9] ends the account area of everybody who signed in with it, and keeps that of the owner', async () => {
    const { owner, subject } = await plantIdentity();
    const { browser } = await story.signIn(subject, 'google', { sessionId: 'thieves-session' });
    const thief = await enterManage(owner.account, browser);
    const calls = await thief.rpc();
    await disconnectGoogle(owner);
    expect((await thief.browser.get(PATHS.manage)).location).toBe(OUTSIDE);
    expect((await calls.get('/userinfo')).status).toBe(401);
    expect((await owner.browser.get(PATHS.manage)).status).toBe(200);
  });
});

describe('sessions of a provider that the owner disconnects', () => {
  it('[S-73] [OUT-6] end here and at the upstream by their ids; those of another provider, or of a password, continue', async () => {
    const { owner, subject } = await plantIdentity();
    const { account } = owner;
    const other = await story.connect(account, undefined, 'microsoft');
    await story.signIn(subject, 'google', { sessionId: `google-${account.id}` });
    await story.signIn(other, 'microsoft', { sessionId: `microsoft-${account.id}` });
    const steps = { browser: 'b', acr: 'urn:foyer:acr:pwd', lifetimeSeconds: 600, accountId: account.id };
    const sessions = story.gateway.get(BrowserSessions);
    for (const amr of ['pwd', 'fed']) await sessions.begin({ ...steps, amr: [amr], upstreamSessionId: `${amr}-${account.id}` });
    story.gateway.hydra.calls.length = 0;
    await disconnectGoogle(owner);
    const left = await Promise.all(
      ['google', 'fed', 'microsoft', 'pwd'].map((name) => sessions.findByUpstreamSession(`${name}-${account.id}`, account.id)),
    );
    // For a session of an older version, the provider is unknown.
    expect(left.map((session) => session !== null)).toEqual([false, false, true, true]);
    const ended = story.gateway.hydra.calls.map((call) => (call.call === 'endLoginSession' ? call.sessionId : call.call));
    expect(ended.toSorted()).toEqual([`fed-${account.id}`, `google-${account.id}`]);
  });
});

describe('two responses to one request in browsers with one id', () => {
  it('[LOG-14] [S-69] get nothing of each other at the same moment', async () => {
    const [victim, thief] = [await story.createPerson(), await story.createPerson()];
    const first = await story.startAtProvider();
    const planted = first.browser.clone();
    const begun = await planted.get(`${PATHS.login}/google?login_challenge=${first.challenge}`);
    const own = story.providers.signIn(begun.location ?? '', await story.connect(thief));
    const theirs = story.providers.signIn(first.url, await story.connect(victim));
    const { acceptLogin } = story.gateway.hydra;
    let given: string | null = null;
    story.gateway.hydra.acceptLogin = async (...login) => {
      story.gateway.hydra.acceptLogin = acceptLogin;
      given = (await story.callBack('google', first.browser, theirs)).location;
      return acceptLogin.apply(story.gateway.hydra, login);
    };
    const answer = await story.callBack('google', planted, own);
    expect(given).toContain('login_verifier=');
    expect([answer.status, answer.location, answer.setCookies.filter(({ name }) => name === 'foyer')]).toEqual([400, null, []]);
  });
});

describe('connecting in progress', () => {
  it('[S-73] [S-44] ends with its session, also while the provider is called', async () => {
    const { owner } = await plantIdentity();
    const { location } = await owner.post(connectAt(PROVIDER));
    const fields = story.providers.signIn(location ?? '', 'late');
    const { finish } = story.providers;
    story.providers.finish = async (...given) => {
      const identity = await finish.apply(story.providers, given);
      await story.gateway.get(ManageSessionRecords).endForAccount(owner.account.id);
      return identity;
    };
    const answer = await story.callBack(PROVIDER, owner.browser, fields);
    story.providers.finish = finish;
    expect(answer.location).toBe(OUTSIDE);
    expect(await story.gateway.get(ExternalIdentities).list(owner.account.id)).toMatchObject([{ provider: 'google' }]);
  });

  it('[NTC-1] [S-73] that began before “that was not me” connects nothing afterwards', async () => {
    const { owner } = await plantIdentity();
    const { location } = await owner.post(connectAt(PROVIDER));
    const fields = story.providers.signIn(location ?? '', 'late');
    const notMe = new NotMeStory(story.gateway);
    await notMe.submit(await notMe.findToken(owner.account, 'provider-connected'));
    expect((await story.callBack(PROVIDER, owner.browser, fields)).location).toBe(OUTSIDE);
    expect(await story.gateway.get(ExternalIdentities).list(owner.account.id)).toEqual([]);
  });
});

describe('the password of an account that an attacker opened with a provider', () => {
  const LIMITS = { accountFreeFailures: 4, accountStopAt: 6 };

  it('[S-78] [S-73] does not get more guesses in each browser that the provider signs in', async () => {
    const strict = await ProviderStory.start({ config: ({ limits }) => ({ limits: { ...limits, ...LIMITS } }) });
    const account = await strict.createPerson();
    const subject = await strict.connect(account);
    let looked = 0;
    for (let user = 0; user < 4; user++) {
      const { browser } = await strict.signIn(subject, 'google', { sessionId: `guessing-${user}` });
      await browser.get(`${PATHS.manage}?t=${accessToken(strict.gateway, account)}`);
      const signedInUser = new ManageUser(strict.gateway, account, browser);
      for (let guess = 0; guess < LIMITS.accountFreeFailures; guess++) {
        const fields = { method: 'password', password: `wrong ${user} ${guess}`, next: PATHS.manage };
        const page = await signedInUser.post(PATHS.manageConfirm, fields);
        if (page.status === 422) looked += 1;
      }
    }
    await strict.gateway.close();
    expect(looked).toBeLessThanOrEqual(LIMITS.accountStopAt);
  });
});

describe('a provider that is being connected', () => {
  const FAILED = `${PATHS.manage}?oauth-error=expired`;
  const CONNECTED = `${PATHS.manage}?status=oauth-connect-success`;

  const enterOwner = async () =>
    ManageUser.enter(story.gateway, { account: await story.createPerson({ email: 'owner@example.org' }), fresh: true });

  /** Returns from the provider to the account area. */
  const returnToManage = ({ browser }: ManageUser, location: string | null, subject: string) =>
    story.callBack('google', browser, story.providers.signIn(location ?? '', subject, { label: null }));

  it('[S-73d] is not connected if the proof from the start has become invalid meanwhile', async () => {
    const user = await enterOwner();
    const { location } = await user.post(connectAt('google'));
    await steps.createKeyHolder(user.account);
    expect((await returnToManage(user, location, 'thief')).location).toBe(FAILED);
    expect(await story.gateway.get(ExternalIdentities).list(user.account.id)).toEqual([]);
  });

  it('[MAN-14] is connected although the round trip takes longer than a proof stays fresh', async () => {
    const user = await enterOwner();
    const { clock, config } = story.gateway;
    clock.advanceSeconds(config.manage.freshProofSeconds - 30);
    const { location } = await user.post(connectAt('google'));
    clock.advanceSeconds(500);
    expect((await returnToManage(user, location, 'owner')).location).toBe(CONNECTED);
  });
});
