import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { SecondStepStory, call, stepAddress, toArabicDigits, type PersonWithApp, type Waiting } from '../support/second-step.js';

let gateway: TestGateway;
let story: SecondStepStory;
let maria: PersonWithApp;

beforeAll(async () => {
  gateway = await startTestGateway();
  story = new SecondStepStory(gateway);
  maria = await story.createPerson('maria.musterfrau');
});

afterAll(() => gateway.close());

/** A code that was not used yet. */
function freshCode({ app }: PersonWithApp): string {
  gateway.clock.advanceSeconds(60);
  return app.code();
}

describe('the second step', () => {
  it('[MFV-1] [MFV-3] [MFV-7] is required after the right password and shows its state', async () => {
    const { page, state, challenge } = await story.reachStep(maria.account);
    expect(page.status).toBe(200);
    expect(state).toMatchObject({
      totp_registered: true,
      fido2_registered: false,
      login_challenge: challenge,
      view: 'totp',
      error: null,
      recovery_codes_left: true,
      account: { id: maria.account.id, name: 'maria.musterfrau' },
      client: { name: 'Beispielportal' },
      cancel_url: gateway.hydra.requestUrl(),
    });
    expect(state.token).not.toBe('');
    expect(state.xsrf_token).not.toBe('');
    expect(state.enrol_token).toBeUndefined();
    expect(story.findAccepted(challenge)).toEqual([]);
  });

  it('[MFV-4] [MFV-5] [LOG-9] [MFV-7] accepts a code by script, and the form submits the proof', async () => {
    const waiting = await story.reachStep(maria.account);
    const answer = await call(waiting, SERVER_PATHS.mfaVerifyTotp, { code: freshCode(maria) });
    expect(answer).toMatchObject({ status: 200, body: { token: expect.any(String) } });
    expect(story.findAccepted(waiting.challenge)).toEqual([]);
    const done = await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, mfa_token: String(answer.body['token']) });
    expect(done.status).toBe(303);
    expect(done.location).toMatch(/^http:\/\/localhost:4444\/oauth2\/auth\?.*login_verifier=/);
    expect(story.findAccepted(waiting.challenge)).toMatchObject([
      {
        authentication: {
          subject: maria.account.id,
          acr: 'urn:foyer:acr:mfa',
          amr: ['pwd', 'otp', 'mfa'],
          remember: true,
          rememberForSeconds: 28_800,
        },
      },
    ]);
  });

  it('[MFV-6] [GEN-9] accepts the code with a plain form without script', async () => {
    const waiting = await story.reachStep(maria.account);
    const done = await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, method: 'totp', code: freshCode(maria) });
    expect(done.status).toBe(303);
    expect(story.findAccepted(waiting.challenge)).toHaveLength(1);
  });

  it('[MFV-6] shows a fault on the same page with status 422', async () => {
    const waiting = await story.reachStep(maria.account);
    for (const code of [maria.app.wrongCode(), '', 'abc']) {
      const answer = await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, method: 'totp', code });
      expect(answer.status).toBe(422);
      expect(answer.state('mfa_verification').mfa_verification).toMatchObject({
        error: 'invalid verification code',
        view: 'totp',
      });
    }
    expect(story.findAccepted(waiting.challenge)).toEqual([]);
  });

  it('[RCV-2] accepts a recovery code instead, once, and reports otp', async () => {
    const [code = ''] = maria.recoveryCodes;
    const first = await story.reachStep(maria.account);
    const shown = await story.openStep(first.browser, first.challenge, '&method=recovery');
    expect(shown.state.view).toBe('recovery');
    const done = await first.browser.post(PATHS.mfaVerify, { ...shown.fields, method: 'recovery', code });
    expect(done.status).toBe(303);
    expect(story.findAccepted(first.challenge)).toMatchObject([{ authentication: { amr: ['pwd', 'otp', 'mfa'] } }]);
    const second = await story.reachStep(maria.account);
    const again = await second.browser.post(PATHS.mfaVerify, { ...second.fields, method: 'recovery', code });
    expect(again.status).toBe(422);
    expect(again.state('mfa_verification').mfa_verification).toMatchObject({ view: 'recovery' });
  });

  it('[RCV-2] accepts a recovery code with the digits of an Arabic keyboard', async () => {
    const waiting = await story.reachStep(maria.account);
    const code = toArabicDigits(maria.recoveryCodes[1] ?? '');
    const done = await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, method: 'recovery', code });
    expect(done.status).toBe(303);
  });

  it('gives the browser a new id after the password and after the factor', async () => {
    const opened = await story.openLogin();
    const toId = (page: typeof opened.page) => page.setCookies.find(({ name }) => name === 'foyer')?.value;
    const answer = await story.signIn(opened.browser, opened.fields, maria.account);
    const { fields } = await story.openStep(opened.browser, opened.challenge);
    const done = await opened.browser.post(PATHS.mfaVerify, { ...fields, code: freshCode(maria) });
    const ids = [toId(opened.page), toId(answer), toId(done)];
    expect(new Set(ids).size).toBe(3);
    expect(ids).not.toContain(undefined);
    expect(answer.setCookies.find(({ name }) => name === 'foyer')).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
  });

  it('shows nothing about an account without a factor, whose sign-in continues directly', async () => {
    const account = await gateway.account('otto.ohnefaktor');
    const { browser, fields, challenge } = await story.openLogin();
    expect((await story.signIn(browser, fields, account)).location).toContain('login_verifier');
    expect(story.findAccepted(challenge)).toMatchObject([{ authentication: { acr: 'urn:foyer:acr:pwd', amr: ['pwd'] } }]);
  });
});

describe('guessing', () => {
  it('[MFV-8] S-52 closes the sign-in at the fifth wrong code, after which the right one does not help', async () => {
    const person = await story.createPerson();
    const waiting = await story.reachStep(person.account);
    for (let attempt = 1; attempt <= 4; attempt++) {
      expect((await call(waiting, SERVER_PATHS.mfaVerifyTotp, { code: person.app.wrongCode() })).body).toEqual({
        error: 'invalid verification code',
      });
    }
    const fifth = await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, code: person.app.wrongCode() });
    expect(fifth.status).toBe(403);
    const back = `${PATHS.login}?login_challenge=${waiting.challenge}`;
    expect(fifth.state('mfa_verification').mfa_verification).toMatchObject({ error: 'closed', restart_url: back, token: '' });
    gateway.clock.advanceSeconds(120);
    const sixth = await call(waiting, SERVER_PATHS.mfaVerifyTotp, { code: person.app.code() });
    expect(sixth).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
    const byForm = await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, code: person.app.code() });
    expect(byForm.status).toBe(403);
    expect((await story.openStep(waiting.browser, waiting.challenge)).state.error).toBe('closed');
    expect(story.findAccepted(waiting.challenge)).toEqual([]);
    // Back to the password, in the same request.
    const login = await waiting.browser.get(back);
    const { xsrf_token: _xsrf, login_challenge, ticket } = login.state('login').login;
    await story.signIn(waiting.browser, { _xsrf, login_challenge, ticket }, person.account);
    const { fields } = await story.openStep(waiting.browser, waiting.challenge);
    expect((await waiting.browser.post(PATHS.mfaVerify, { ...fields, code: person.app.code() })).status).toBe(303);
  });

  it('[MFV-8] S-52 continues to count in new sign-ins, so that the account has to wait', async () => {
    const person = await story.createPerson();
    const first = await story.reachStep(person.account);
    for (let attempt = 1; attempt <= 5; attempt++) {
      await call(first, SERVER_PATHS.mfaVerifyTotp, { code: person.app.wrongCode() });
    }
    const second = await story.reachStep(person.account);
    const limited = await call(second, SERVER_PATHS.mfaVerifyTotp, { code: person.app.code() });
    expect(limited).toMatchObject({ status: 429, body: { error: 'too many requests', retry_after: expect.any(Number) } });
    const form = await second.browser.post(PATHS.mfaVerify, { ...second.fields, code: person.app.code() });
    expect(form.status).toBe(429);
    expect(Number(form.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(form.state('mfa_verification').mfa_verification).toMatchObject({ error: 'limited', retry_after: expect.any(Number) });
    gateway.clock.advanceSeconds(60);
    expect((await call(second, SERVER_PATHS.mfaVerifyTotp, { code: person.app.code() })).status).toBe(200);
  });

  it('[MFV-8] counts each factor separately: while one is delayed, a recovery code admits the person', async () => {
    const person = await story.createPerson();
    const first = await story.reachStep(person.account);
    for (let attempt = 1; attempt <= 5; attempt++) {
      await call(first, SERVER_PATHS.mfaVerifyTotp, { code: person.app.wrongCode() });
    }
    const second = await story.reachStep(person.account);
    const page = await second.browser.post(PATHS.mfaVerify, { ...second.fields, code: person.app.code() });
    expect(page.status).toBe(429);
    expect(page.state('mfa_verification').mfa_verification.factors).toContainEqual(
      expect.objectContaining({ name: 'recovery', registered: true }),
    );
    const [code = ''] = person.recoveryCodes;
    expect((await second.browser.post(PATHS.mfaVerify, { ...second.fields, method: 'recovery', code })).status).toBe(303);
    expect(story.findAccepted(second.challenge)).toHaveLength(1);
  });

  it('[MFV-8] S-52 checks no more than five codes that are sent at the same moment', async () => {
    const person = await story.createPerson();
    const waiting = await story.reachStep(person.account);
    const wrong = Array.from({ length: 12 }, () => call(waiting, SERVER_PATHS.mfaVerifyTotp, { code: person.app.wrongCode() }));
    const statuses = (await Promise.all(wrong)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 422).length).toBeLessThanOrEqual(5);
    expect(statuses).not.toContain(200);
  });

  it('[MFV-8] S-49 accepts a code once, in any spelling, flow or browser', async () => {
    const code = freshCode(maria);
    const first = await story.reachStep(maria.account);
    expect((await call(first, SERVER_PATHS.mfaVerifyTotp, { code: toArabicDigits(code) })).status).toBe(200);
    const second = await story.reachStep(maria.account);
    const fullWidth = code.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
    for (const spelling of [code, `${code.slice(0, 3)} ${code.slice(3)}`, `${code}\n`, fullWidth]) {
      expect([422, 400]).toContain((await call(second, SERVER_PATHS.mfaVerifyTotp, { code: spelling })).status);
    }
    expect((await call(second, SERVER_PATHS.mfaVerifyTotp, { code: Number(code) })).status).toBe(400);
  });
});

describe('[MFV-4] S-55 the second protection of the calls', () => {
  it.each([
    ['no anti-forgery value', { 'x-xsrftoken': '' }, 403],
    ['a foreign one', { 'x-xsrftoken': 'A'.repeat(86) }, 403],
    ['another origin', { origin: 'https://evil.example' }, 403],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['no token', { authorization: '' }, 401],
    ['a forged token', { authorization: `Bearer 00000000-0000-4000-8000-000000000000.${'A'.repeat(43)}` }, 401],
    ['another scheme', { authorization: 'Basic bWFyaWE6eA==' }, 401],
    ['a body that is not JSON', { 'content-type': 'text/plain' }, 415],
  ])('%s is refused', async (_what, headers, status) => {
    const waiting = await story.reachStep(maria.account);
    for (const path of [SERVER_PATHS.mfaVerifyTotp, SERVER_PATHS.mfaInitFido2, SERVER_PATHS.mfaVerifyFido2]) {
      const answer = await call(waiting, path, { code: maria.app.code() }, headers);
      expect(answer.status).toBe(status);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('the token and the value of one browser are invalid in another', async () => {
    const waiting = await story.reachStep(maria.account);
    const other = await story.reachStep(maria.account);
    const code = freshCode(maria);
    expect((await call({ ...waiting, browser: other.browser }, SERVER_PATHS.mfaVerifyTotp, { code })).status).toBe(403);
    const mixed = { browser: other.browser, state: { ...other.state, token: waiting.state.token } };
    expect(await call(mixed, SERVER_PATHS.mfaVerifyTotp, { code })).toMatchObject({
      status: 401,
      body: { error: 'unauthorized' },
    });
  });
});

describe('an invalid step', () => {
  it.each(['', '?login_challenge=', '?login_challenge=unknown', '?login_challenge=a&login_challenge=b', '?login_challenge=%00'])(
    'shows the alert, status 400: %s',
    async (query) => {
      const page = await gateway.browser().get(PATHS.mfaVerify + query);
      expect(page.status).toBe(400);
      expect(page.state('mfa_verification').mfa_verification).toMatchObject({
        error: 'challenge',
        challenge_fault: 'missing',
        token: '',
        login_challenge: '',
      });
    },
  );

  it('ends after ten minutes, and the link leads back into the request', async () => {
    const waiting = await story.reachStep(maria.account);
    gateway.clock.advanceSeconds(601);
    const page = await waiting.browser.get(stepAddress(waiting.challenge));
    expect(page.status).toBe(400);
    expect(page.state('mfa_verification').mfa_verification).toMatchObject({
      challenge_fault: 'expired',
      restart_url: gateway.hydra.requestUrl(),
    });
    expect((await call(waiting, SERVER_PATHS.mfaVerifyTotp, { code: maria.app.code() })).status).toBe(401);
    const form = await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, code: maria.app.code() });
    expect(form.status).toBe(400);
    expect(story.findAccepted(waiting.challenge)).toEqual([]);
  });

  it.each<[string, (waiting: Waiting, code: string) => Promise<Record<string, string>>, boolean]>([
    ['a code, which has an event', async (_waiting, code) => ({ method: 'totp', code }), true],
    [
      'a factor token, whose event has the id of the call',
      async (waiting, code) => ({ mfa_token: String((await call(waiting, SERVER_PATHS.mfaVerifyTotp, { code })).body['token']) }),
      false,
    ],
    ['a postponement, which has no event', async () => ({ proceed: 'later' }), false],
  ])('shows a request id only if the audit log contains it: %s', async (_what, answer, isShown) => {
    const person = await story.createPerson();
    const waiting = await story.reachStep(person.account);
    const fields = await answer(waiting, person.app.code());
    gateway.hydra.expire(waiting.challenge);
    const page = await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, ...fields });
    const { challenge_fault, request_id = null } = page.state('mfa_verification').mfa_verification;
    expect([page.status, challenge_fault]).toEqual([400, 'expired']);
    const { entries } = await gateway.get(AuditLog).list(person.account.id);
    const isRecorded = entries.some(({ requestId }) => requestId === request_id);
    expect([request_id !== null, isRecorded]).toEqual([isShown, isShown]);
  });

  it('is refused once the account was disabled', async () => {
    const person = await story.createPerson();
    const waiting = await story.reachStep(person.account);
    const proof = await call(waiting, SERVER_PATHS.mfaVerifyTotp, { code: person.app.code() });
    await gateway.get(Accounts).setStatus(person.account.id, 'disabled');
    const done = await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, mfa_token: String(proof.body['token']) });
    expect(done.status).toBe(400);
    expect(story.findAccepted(waiting.challenge)).toEqual([]);
  });
});
