/** An answer of the registration service that arrives after its account was secured, and describes its earlier owner. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { PasswordResets } from '../../src/accounts/password/resets.js';
import { PATHS } from '../../src/contract/paths.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { NotMeStory } from '../support/not-me.js';
import { TestRegistrationService, returnToFoyer, continueToService } from '../support/registration-service.js';
import { ResetStory } from '../support/resets.js';
import { SecondStepStory, stepAddress } from '../support/second-step.js';

const REFUSED = `${PATHS.registerCallback}?status=error`;
const CLOCKS_APART_SECONDS = 30;

let gateway: TestGateway;
let demoService: TestRegistrationService;
let count = 0;

beforeAll(async () => {
  demoService = await new TestRegistrationService().start();
  gateway = await startTestGateway({ config: () => demoService.config() });
});

afterAll(async () => {
  await gateway.close();
  await demoService.stop();
});

const person = () => gateway.account(`stale.${(count += 1)}`, { email: `stale${count}@example.org` });

async function resetPassword(account: Account): Promise<void> {
  const { secret } = await gateway.get(PasswordResets).issue(account, { actor: 'operator' });
  await new ResetStory(gateway).reset(secret);
}

async function disableForAWhile({ id }: Account): Promise<void> {
  await gateway.get(Accounts).setStatus(id, 'disabled');
  await gateway.get(Accounts).setStatus(id, 'active');
}

async function secureAccount(account: Account): Promise<void> {
  await resetPassword(account);
  const story = new NotMeStory(gateway);
  await story.submit(await story.findToken(account));
}

describe('an earlier answer', () => {
  it.each([
    ['a password reset', resetPassword],
    ['being disabled for a while', disableForAWhile],
    ['“that was not me”', secureAccount],
  ] as const)('[REG-3] [S-44] %s signs nobody in as an account that was there', async (_name, ends) => {
    const account = await person();
    const handed = await continueToService(gateway);
    const answer = await demoService.answer(gateway, handed, { sub: account.id });
    gateway.clock.advanceSeconds(1);
    await ends(account);
    const back = await returnToFoyer(handed.browser, answer);
    expect(back.location).toContain(REFUSED);
    expect(gateway.hydra.calls).not.toContainEqual(expect.objectContaining({ call: 'acceptLogin', challenge: handed.challenge }));
    gateway.clock.advanceSeconds(CLOCKS_APART_SECONDS + 1);
    const later = await demoService.answer(gateway, handed, { sub: account.id });
    expect((await returnToFoyer(handed.browser, later)).location).toContain(REFUSED);
    const again = await continueToService(gateway);
    const fresh = await demoService.answer(gateway, again, { sub: account.id });
    expect((await returnToFoyer(again.browser, fresh)).location).toContain('login_verifier=');
  });

  it('[REG-3] is valid for an account that the service has created meanwhile, with its password', async () => {
    const handed = await continueToService(gateway);
    gateway.clock.advanceSeconds(1);
    const account = await person();
    const answer = await demoService.answer(gateway, handed, { sub: account.id });
    expect((await returnToFoyer(handed.browser, answer)).location).toContain('login_verifier=');
  });

  it('[REG-3] [S-44] does not sign in again to the account that it created', async () => {
    const handed = await continueToService(gateway);
    const username = `stale.${(count += 1)}`;
    const answer = await demoService.answer(gateway, handed, { account: { username } });
    const { acceptLogin } = gateway.hydra;
    gateway.hydra.acceptLogin = () => Promise.reject(new Error('cut'));
    expect((await returnToFoyer(handed.browser, answer)).status).toBe(500);
    gateway.hydra.acceptLogin = acceptLogin;
    const made = await gateway.get(Accounts).findByUsername(username);
    if (!made) throw new Error('There is no account.');
    gateway.clock.advanceSeconds(CLOCKS_APART_SECONDS + 1);
    await resetPassword(made);
    expect((await returnToFoyer(handed.browser, answer)).location).toContain(REFUSED);
  });

  it('[REG-3] [S-44] ends at the second step once the access has ended', async () => {
    const { account, app } = await new SecondStepStory(gateway).createPerson();
    const handed = await continueToService(gateway);
    const back = await returnToFoyer(handed.browser, await demoService.answer(gateway, handed, { sub: account.id }));
    expect(back.location).toBe(stepAddress(handed.challenge));
    const step = await new SecondStepStory(gateway).openStep(handed.browser, handed.challenge);
    await resetPassword(account);
    const done = await handed.browser.post(PATHS.mfaVerify, { ...step.fields, method: 'totp', code: app.code() });
    expect(done.location ?? '').not.toContain('login_verifier=');
  });
});
