/** Setting up a first factor during a sign-in (MFV-2), with plain forms and by RPC. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CALL_HEADERS } from '../../src/contract/form-fields.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { EnrolmentFlow } from '../../src/flows/sign-in/steps/second-factor/enrolment.flow.js';
import { Factors } from '../../src/mfa/factors.js';
import { clickTwice } from '../support/double-click.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { SecondStepStory, call, stepAddress, type Waiting } from '../support/second-step.js';
import { SyntheticKey } from '../support/synthetic-key.js';
import { TotpApp } from '../../test-kit/totp-app.js';
import type { TotpSetupState } from '../../src/contract/mfa-state.js';

let gateway: TestGateway;
let story: SecondStepStory;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway({ config: (config) => ({ mfa: { ...config.mfa, policy: 'required', numericAcr: true } }) });
  story = new SecondStepStory(gateway);
});

afterAll(() => gateway.close());

async function openEnrolment(): Promise<Waiting & { accountId: string }> {
  const account = await gateway.account(`new.person.${(count += 1)}`);
  return { ...(await story.reachStep(account)), accountId: account.id };
}

/** The RPC calls of the account area as the page of the step makes them: each answer contains the next token. */
class EnrolmentCalls {
  #token: string;

  constructor(private readonly waiting: Waiting) {
    this.#token = waiting.state.enrol_token ?? '';
  }

  post(path: string, body: object = {}) {
    return this.#send('POST', path, body);
  }

  put(path: string, body: object) {
    return this.#send('PUT', path, body);
  }

  async #send(method: string, path: string, body: object) {
    const headers = { authorization: `Bearer ${this.#token}` };
    const answer = await call(this.waiting, PATHS.manageRpc + path, body, headers, method);
    this.#token = answer.headers.get(CALL_HEADERS.nextToken) ?? this.#token;
    return answer;
  }
}

/** Begins the set-up with the plain form. */
async function beginSetUp(waiting: Waiting) {
  const answer = await waiting.browser.post(SERVER_PATHS.mfaEnrolTotp, waiting.fields);
  expect(answer.location).toBe(`${stepAddress(waiting.challenge)}&setup=totp`);
  const step = await story.openStep(waiting.browser, waiting.challenge, '&setup=totp');
  return { step, app: new TotpApp((step.state.setup as TotpSetupState | undefined)?.secret ?? '', gateway.clock) };
}

describe('[MFV-2] a sign-in that requires a factor of a person without one', () => {
  it('offers to set one up because of the installation', async () => {
    const { state, browser, challenge } = await openEnrolment();
    expect(state).toMatchObject({ view: 'enrol', wanted_by: 'installation', totp_registered: false, fido2_registered: false });
    expect((await story.openStep(browser, challenge, '&setup=fido2')).state.view).toBe('enrol-fido2');
    const totp = await story.openStep(browser, challenge, '&setup=totp');
    expect(totp.state.view).toBe('enrol-totp');
    expect(totp.state.setup).toBeUndefined();
  });

  it('[RCV-1] [RCV-4] [MFV-6] [GEN-9] sets up an app with plain forms, shows recovery codes once, and continues', async () => {
    const waiting = await openEnrolment();
    const { step, app } = await beginSetUp(waiting);
    expect(step.state).toMatchObject({ view: 'enrol-totp', setup: { otpauth_url: expect.stringContaining('otpauth://totp/') } });
    const wrong = await waiting.browser.post(SERVER_PATHS.mfaEnrolTotp, { ...step.fields, code: app.wrongCode() });
    expect(wrong.status).toBe(422);
    expect(wrong.state('mfa_verification').mfa_verification).toMatchObject({
      error: 'invalid verification code',
      view: 'enrol-totp',
      setup: { secret: (step.state.setup as TotpSetupState | undefined)?.secret },
    });
    const right = await waiting.browser.post(SERVER_PATHS.mfaEnrolTotp, { ...step.fields, code: app.code() });
    expect(right.status).toBe(200);
    const { mfa_verification: shown } = right.state('mfa_verification');
    expect(shown.view).toBe('codes');
    expect(shown.codes).toHaveLength(10);
    expect(story.findAccepted(waiting.challenge)).toEqual([]);
    // Nobody may have seen the codes before that, because the page could have been lost.
    const countUnseen = async () => (await gateway.get(Factors).recoveryCodes.countLeft(waiting.accountId)).unseen;
    expect(await countUnseen()).toBe(true);
    const goOn = { ...step.fields, mfa_token: shown.mfa_token ?? '', code: shown.codes?.[0] ?? '' };
    const done = await waiting.browser.post(PATHS.mfaVerify, goOn);
    expect(done.status).toBe(303);
    expect(await countUnseen()).toBe(false);
    expect(story.findAccepted(waiting.challenge)).toMatchObject([
      { authentication: { acr: 'urn:foyer:acr:mfa', amr: ['pwd', 'otp', 'mfa'] } },
    ]);
  });

  it('[RCV-1] shows the recovery codes after a double click too', async () => {
    const waiting = await openEnrolment();
    const { step, app } = await beginSetUp(waiting);
    const fields = { ...step.fields, code: app.code() };
    const pages = await clickTwice(gateway.get(EnrolmentFlow), () => waiting.browser.post(SERVER_PATHS.mfaEnrolTotp, fields));
    const [first, second] = pages.map((page) => page.state('mfa_verification').mfa_verification);
    expect(first?.codes).toHaveLength(10);
    expect(second).toEqual(first);
    const goOn = { ...step.fields, mfa_token: second?.mfa_token ?? '', code: second?.codes?.[0] ?? '' };
    expect((await waiting.browser.post(PATHS.mfaVerify, goOn)).status).toBe(303);
  });

  it('[MFV-7] sets up no code with a form where only a key is enough', async () => {
    const account = await gateway.account(`new.person.${(count += 1)}`);
    const waiting = await story.reachStep(account, { acrValues: ['urn:foyer:acr:phr'] });
    for (const more of [{}, { code: '123456' }]) {
      const answer = await waiting.browser.post(SERVER_PATHS.mfaEnrolTotp, { ...waiting.fields, ...more });
      expect([answer.status, answer.location]).toEqual([303, stepAddress(waiting.challenge)]);
    }
    expect((await story.openStep(waiting.browser, waiting.challenge, '&setup=totp')).state.setup).toBeUndefined();
  });

  it('does not continue without it', async () => {
    const waiting = await openEnrolment();
    for (const more of [{}, { code: '123456' }, { mfa_token: waiting.state.enrol_token ?? '' }]) {
      expect([403, 422]).toContain((await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, ...more })).status);
    }
    expect((await waiting.browser.get(`${PATHS.login}?login_challenge=${waiting.challenge}`)).location).toBe(
      stepAddress(waiting.challenge),
    );
    expect(story.findAccepted(waiting.challenge)).toEqual([]);
  });

  it('[MFV-2] [MFV-5] sets up an app by RPC with a token that is valid for nothing else', async () => {
    const waiting = await openEnrolment();
    const manage = new EnrolmentCalls(waiting);
    const setup = await manage.post('/mfa-init-totp');
    const app = new TotpApp(String(setup.body['secret']), gateway.clock);
    expect(await manage.post('/mfa-verify-totp', { code: app.wrongCode() })).toMatchObject({ status: 422 });
    expect(await manage.put('/password', { password: 'x', newPassword: 'y', newPasswordRepeat: 'y' })).toMatchObject({
      status: 403,
    });
    const added = await manage.post('/mfa-verify-totp', { code: app.code() });
    expect(added).toMatchObject({ status: 200, body: { recovery_codes: expect.any(Array), token: expect.any(String) } });
    expect(story.findAccepted(waiting.challenge)).toEqual([]);
    // One factor is enough for a proof; a second one is set up in the account area.
    expect((await manage.post('/mfa-init-fido2')).status).toBe(409);
    const mfa_token = String(added.body['token']);
    expect((await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, mfa_token })).status).toBe(303);
    expect(story.findAccepted(waiting.challenge)).toMatchObject([{ authentication: { amr: ['pwd', 'otp', 'mfa'] } }]);
    expect((await manage.post('/mfa-init-totp')).status).toBe(401);
  });

  it('[MFV-2] [MFV-5] sets up a key by the same calls', async () => {
    const waiting = await openEnrolment();
    const manage = new EnrolmentCalls(waiting);
    const { origin, hostname } = new URL(gateway.config.publicUrl);
    const key = new SyntheticKey({ origin, rpId: hostname });
    const { body } = await manage.post('/mfa-init-fido2');
    const credentialJson = JSON.stringify(key.register(String(body['challenge'])));
    const added = await manage.post('/mfa-verify-fido2', { sessionId: body['sessionId'], credentialJson });
    expect(added.status).toBe(200);
    const mfa_token = String(added.body['token']);
    expect((await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, mfa_token })).status).toBe(303);
    expect(story.findAccepted(waiting.challenge)).toMatchObject([
      { authentication: { acr: 'urn:foyer:acr:phr', amr: ['pwd', 'hwk', 'pop', 'user', 'mfa'] } },
    ]);
  });

  it('D6 sets up nothing once there is a factor, which has to be proven instead', async () => {
    const waiting = await openEnrolment();
    const { step, app } = await beginSetUp(waiting);
    await story.createKeyHolder({ id: waiting.accountId } as never);
    for (const more of [{}, { code: app.code() }]) {
      const answer = await waiting.browser.post(SERVER_PATHS.mfaEnrolTotp, { ...step.fields, ...more });
      expect(answer.location).toBe(stepAddress(waiting.challenge));
    }
    expect(await gateway.get(Factors).readCounts(waiting.accountId)).toEqual({ webauthn: 1, 'recovery-codes': 10 });
    const asked = await story.openStep(waiting.browser, waiting.challenge, '&setup=totp');
    expect(asked.state).toMatchObject({ view: 'fido2', fido2_registered: true });
    expect(asked.state.enrol_token).toBeUndefined();
    expect(story.findAccepted(waiting.challenge)).toEqual([]);
  });

  it('V2 requires it again when the request starts again', async () => {
    const waiting = await openEnrolment();
    const again = await story.openLogin({}, waiting.browser);
    const account = { username: `new.person.${count}` };
    await story.signIn(waiting.browser, again.fields, account as never);
    expect((await story.openStep(waiting.browser, again.challenge)).state.view).toBe('enrol');
  });

  it('is not continued by a browser with the earlier id', async () => {
    const account = await gateway.account('fixed.person');
    const opened = await story.openLogin();
    const thief = opened.browser.clone();
    await story.signIn(opened.browser, opened.fields, account);
    const page = await thief.get(stepAddress(opened.challenge));
    const xsrf = page.state('mfa_verification').mfa_verification.xsrf_token;
    const answer = await thief.post(SERVER_PATHS.mfaEnrolTotp, { _xsrf: xsrf, login_challenge: opened.challenge });
    expect(answer.status).toBe(400);
  });
});

it('[MFV-7] reports acr as a number if the app asks for it, in the sign-in and in its session', async () => {
  const { account, app } = await story.createPerson();
  const sessionId = 'sid-of-numbers';
  const waiting = await story.reachStep(account, { acrValues: ['2'], sessionId });
  await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, code: app.code() });
  expect(story.findAccepted(waiting.challenge)).toMatchObject([{ authentication: { acr: '2' } }]);
  for (const [acrValues, acr] of [
    [['1'], '2'],
    [[], 'urn:foyer:acr:mfa'],
  ] as const) {
    const challenge = `numbers-${(count += 1)}`;
    gateway.hydra.addLogin({ challenge, skip: true, subject: account.id, sessionId, acrValues });
    await waiting.browser.get(`${PATHS.login}?login_challenge=${challenge}`);
    expect(story.findAccepted(challenge)).toMatchObject([{ authentication: { acr } }]);
  }
});
