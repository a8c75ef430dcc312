/** A first factor is not set up with a provider alone if the account has another proof, or is frozen. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Factors } from '../../src/mfa/factors.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { TotpFactor } from '../../src/mfa/factors/totp/totp.factor.js';
import { PASSWORD } from '../support/gateway.js';
import { ProviderStory } from '../support/provider-story.js';
import { SecondStepStory } from '../support/second-step.js';

const WANTED = { acrValues: ['urn:foyer:acr:mfa'] };

let story: ProviderStory;

beforeAll(async () => {
  story = await ProviderStory.start();
});
afterAll(() => story.gateway.close());

describe('a sign-in by a provider that has to set up a first factor', () => {
  it('[MFV-2] [PRV-2] needs the password of the account, in the same request', async () => {
    const account = await story.createPerson();
    const { answer, browser, challenge } = await story.signIn(await story.connect(account), 'google', WANTED);
    expect(answer.status).toBe(403);
    const { login } = answer.state('login');
    expect(login).toMatchObject({ error: 'own-proof', provider: 'Google', login_challenge: challenge });
    expect((await browser.get(`${PATHS.mfaVerify}?login_challenge=${challenge}`)).status).toBe(400);
    const hidden = { _xsrf: login.xsrf_token, login_challenge: challenge, ticket: login.ticket };
    const signedIn = await browser.post(PATHS.loginNative, { ...hidden, username: account.username, password: PASSWORD });
    expect(signedIn.location).toContain(PATHS.mfaVerify);
    expect(await story.gateway.get(Factors).readCounts(account.id)).toEqual({});
  });

  it('[MFV-2] continues if the provider is the only sign-in method', async () => {
    const account = await story.createPerson();
    const subject = await story.connect(account);
    await story.removePassword(account);
    const { answer, browser } = await story.signIn(subject, 'google', WANTED);
    const page = await browser.get(answer.location ?? '');
    expect(page.state('mfa_verification').mfa_verification.view).toBe('enrol');
  });

  it('[MFV-2] sets nothing up if it began with the proof of a factor that was removed meanwhile', async () => {
    const { gateway } = story;
    const { account } = await new SecondStepStory(gateway).createPerson();
    const more = { ...WANTED, requestUrl: `${gateway.config.hydra.publicUrl}/oauth2/auth?state=begin-anew` };
    const { answer, browser, challenge } = await story.signIn(await story.connect(account), 'google', more);
    const asked = (await browser.get(answer.location ?? '')).state('mfa_verification').mfa_verification;
    expect(asked.view).toBe('totp');
    await gateway.get(TotpFactor).remove({ accountId: account.id, auditContext: { actor: 'person' }, mayBeLast: true });
    const fields = { _xsrf: asked.xsrf_token, login_challenge: challenge, ticket: asked.ticket };
    for (const more of [{}, { code: '123456' }]) {
      const refused = await browser.post(SERVER_PATHS.mfaEnrolTotp, { ...fields, ...more });
      expect([refused.status, refused.location]).toEqual([400, null]);
    }
    const page = await browser.get(answer.location ?? '');
    expect([page.status, page.state('mfa_verification').mfa_verification]).toEqual([
      400,
      expect.objectContaining({ error: 'challenge', challenge_fault: 'expired', restart_url: more.requestUrl }),
    ]);
    expect((await browser.post(PATHS.mfaVerify, { ...fields, code: '123456' })).status).toBe(400);
    const { db } = gateway.database;
    const begun = db.selectFrom('one_time_secret').select('purpose').where('account_id', '=', account.id);
    expect((await begun.execute()).filter(({ purpose }) => purpose.startsWith('factor-setup'))).toEqual([]);
    expect(await gateway.get(Factors).readCounts(account.id)).toEqual({});
  });

  it('[NTC-1] does not continue while credentials are frozen', async () => {
    const account = await story.createPerson();
    const subject = await story.connect(account);
    await story.removePassword(account);
    const { db } = story.gateway.database;
    const until = new Date(story.gateway.clock.now().getTime() + 3_600_000);
    await db.updateTable('account').set({ credentials_frozen_until: until }).where('id', '=', account.id).execute();
    const { answer, challenge } = await story.signIn(subject, 'google', WANTED);
    expect([answer.status, answer.state('login').login.error]).toEqual([403, 'own-proof']);
    expect(story.findAccepted(challenge)).toEqual([]);
  });

  it('[LOG-5] reports an expired request if Hydra deletes it while the provider is used', async () => {
    const { gateway, providers } = story;
    const account = await story.createPerson();
    const subject = await story.connect(account);
    await story.removePassword(account);
    const { browser, challenge, url } = await story.startAtProvider('google', { acrValues: ['urn:foyer:acr:pwd'] });
    const finish = providers.finish.bind(providers);
    const finishLate: typeof finish = (...given) => {
      Object.assign(providers, { finish });
      gateway.hydra.expire(challenge);
      return finish(...given);
    };
    Object.assign(providers, { finish: finishLate });
    const answer = await story.callBack('google', browser, providers.signIn(url, subject));
    expect([answer.status, answer.state('login').login.challenge_fault]).toEqual([400, 'expired']);
  });

  it('[PRV-2] needs nothing else if no factor is required', async () => {
    const account = await story.createPerson();
    const { challenge } = await story.signIn(await story.connect(account));
    expect(story.findAccepted(challenge)).toHaveLength(1);
  });
});
