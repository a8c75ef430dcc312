/** Removing all second factors with the token of a contact person, over HTTP. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { FactorResets } from '../../src/mfa/factor-resets.js';
import { Factors } from '../../src/mfa/factors.js';
import { OutboxClaims } from '../../src/accounts/queue/outbox-claims.js';
import { PATHS } from '../../src/contract/paths.js';
import { FactorResetFlow } from '../../src/flows/factor-reset/factor-reset.flow.js';
import { clickTwice } from '../support/double-click.js';
import { ManageUser } from '../support/manage.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { SecondStepStory, stepAddress } from '../support/second-step.js';
import type { TestBrowser, TestPage } from '../support/test-browser.js';

const DONE = `${PATHS.mfaResetStatus}?status=success`;
const GONE = `${PATHS.mfaResetStatus}?status=error-token`;
const NONE = {};
const TWO_DAYS = 48 * 3600;
const BY = { actor: 'operator' } as const;

let gateway: TestGateway;
let steps: SecondStepStory;

beforeAll(async () => {
  gateway = await startTestGateway();
  steps = new SecondStepStory(gateway);
});

afterAll(() => gateway.close());
afterEach(() => gateway.hydra.fail(null));

/** Creates a person with an authenticator app, a security key and recovery codes. */
async function person(target = gateway, story = steps): Promise<{ account: Account; token: string }> {
  const { account: made } = await story.createPerson();
  const account = await target.get(Accounts).update(made.id, { email: `${made.username}@example.org` });
  await story.createKeyHolder(account);
  const { secret: token } = await target.get(FactorResets).issue(account, BY);
  return { account, token };
}

async function openForm(token: string, browser: TestBrowser) {
  const link = await browser.get(`${PATHS.mfaResetForm}?reset_token=${token}`);
  // The token is removed from the address, so that it stays in no history.
  expect([link.status, link.location]).toEqual([303, PATHS.mfaResetForm]);
  const page = await browser.get(PATHS.mfaResetForm);
  const { xsrf_token: _xsrf, ...state } = page.state('mfa_reset_form').mfa_reset_form;
  return { state, fields: { _xsrf, reset_token: state.reset_token } };
}

async function reset(token: string, more: Record<string, string> = {}, browser = gateway.browser()): Promise<TestPage> {
  const { fields } = await openForm(token, browser);
  return browser.post(PATHS.mfaReset, { ...fields, ...more });
}

const readCounts = ({ id }: Account, target = gateway) => target.get(Factors).readCounts(id);

describe('the factor reset', () => {
  it('[FAR-1] asks first, and opening the page does not use the token', async () => {
    const { account, token } = await person();
    for (let look = 0; look < 10; look++) {
      const { state } = await openForm(token, gateway.browser());
      const { id, username } = account;
      expect(state).toEqual({
        error: null,
        account: { id, name: username, username },
        reset_token: token,
        password_required: false,
      });
      await gateway.browser().request(`${PATHS.mfaResetForm}?reset_token=${token}`, { method: 'HEAD' });
    }
    expect(await readCounts(account)).toEqual({ totp: 1, webauthn: 1, 'recovery-codes': 10 });
    expect((await gateway.browser().post(PATHS.mfaReset, { reset_token: token })).status).toBe(403);
    expect((await reset(token)).location).toBe(DONE);
  });

  it('[FAR-3] [S-48] removes all factors at once, ends what is open, and notifies the owner', async () => {
    const { account, token } = await person();
    const waiting = await steps.reachStep(account);
    const user = await ManageUser.enter(gateway, { account });
    const answer = await reset(token);
    expect(answer.location).toBe(DONE);
    expect(answer.setCookies.map(({ name }) => name).filter((name) => /session/i.test(name))).toEqual([]);
    expect(await readCounts(account)).toEqual(NONE);
    expect((await user.browser.get(PATHS.manage)).location).toBe(`${PATHS.manageError}unauthorized`);
    const dead = await waiting.browser.get(stepAddress(waiting.challenge));
    expect(dead.state('mfa_verification').mfa_verification.token).toBeFalsy();
    expect(gateway.hydra.calls).toContainEqual({ call: 'endLoginSessions', subject: account.id });
    const { entries } = await gateway.get(AuditLog).list(account.id);
    expect(entries.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['factor.reset', 'factor-reset.issued']));
    const mails = await gateway.get(OutboxClaims).claim(100);
    expect(mails.filter(({ recipient }) => recipient === account.email).map(({ kind }) => kind)).toContain('factors-reset');
    // Afterwards only the password is asked for.
    const login = await steps.openLogin();
    await steps.signIn(login.browser, login.fields, account);
    expect(steps.findAccepted(login.challenge)).toHaveLength(1);
  });

  it('[FAR-2] [FAR-3] works once, also for fifty requests at the same moment', async () => {
    const { account, token } = await person();
    const browser = gateway.browser();
    const forms = await Promise.all(Array.from({ length: 50 }, () => openForm(token, browser.twin())));
    const answers = await Promise.all(forms.map(({ fields }) => browser.twin().post(PATHS.mfaReset, fields)));
    expect(answers.filter(({ location }) => location === DONE)).toHaveLength(1);
    const { entries } = await gateway.get(AuditLog).list(account.id);
    expect(entries.filter(({ kind }) => kind === 'factor.reset')).toHaveLength(1);
    expect((await browser.get(`${PATHS.mfaResetForm}?reset_token=${token}`)).location).toBe(GONE);
  });

  it('[FAR-2] works for a double click, which gets one answer', async () => {
    const { account, token } = await person();
    const browser = gateway.browser();
    const { fields } = await openForm(token, browser);
    const answers = await clickTwice(gateway.get(FactorResetFlow), () => browser.twin().post(PATHS.mfaReset, fields));
    expect(answers.map(({ location }) => location)).toEqual([DONE, DONE]);
    const { entries } = await gateway.get(AuditLog).list(account.id);
    expect(entries.filter(({ kind }) => kind === 'factor.reset')).toHaveLength(1);
  });

  it('[FAR-3] works for two days, and only with the newest token', async () => {
    const { account, token: old } = await person();
    const { secret: token } = await gateway.get(FactorResets).issue(account, BY);
    expect((await gateway.browser().get(`${PATHS.mfaResetForm}?reset_token=${old}`)).location).toBe(GONE);
    const browser = gateway.browser();
    gateway.clock.advanceSeconds(TWO_DAYS - 60);
    const { fields } = await openForm(token, browser);
    gateway.clock.advanceSeconds(61);
    expect((await browser.post(PATHS.mfaReset, fields)).location).toBe(GONE);
    expect(await readCounts(account)).not.toEqual(NONE);
  });

  it('[FAR-2] shows its three statuses', async () => {
    for (const [given, shown] of [
      ['success', 'success'],
      ['error-token', 'error-token'],
      ['else', 'error'],
    ] as const) {
      const page = await gateway.browser().get(`${PATHS.mfaResetStatus}?status=${given}`);
      expect(page.state('mfa_reset_status').mfa_reset_status).toEqual({ status: shown });
    }
  });

  it('[S-48] refuses a hundred guesses and delays the address, while a right token still works', async () => {
    const { addressFailures, addressWindowSeconds } = gateway.config.limits;
    gateway.clock.advanceSeconds(addressWindowSeconds);
    const { account, token } = await person();
    const browser = gateway.browser();
    const { fields } = await openForm(token, browser);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, guess) =>
        browser.twin().post(PATHS.mfaReset, { ...fields, reset_token: `${guess}`.padStart(43, 'A') }),
      ),
    );
    expect(answers.filter(({ location }) => location === GONE)).toHaveLength(addressFailures);
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited).toHaveLength(100 - addressFailures);
    expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(limited[0]?.state('mfa_reset_form').mfa_reset_form.error).toBe('limited');
    expect(await readCounts(account)).not.toEqual(NONE);
    expect((await browser.post(PATHS.mfaReset, fields)).location).toBe(DONE);
    gateway.clock.advanceSeconds(addressWindowSeconds);
  });

  it('[FAR-3] does nothing for an account that was disabled meanwhile, and works while the upstream is silent', async () => {
    const { account, token } = await person();
    const browser = gateway.browser();
    const { fields } = await openForm(token, browser);
    await gateway.get(Accounts).setStatus(account.id, 'disabled');
    expect((await browser.post(PATHS.mfaReset, fields)).location).toBe(GONE);
    const other = await person();
    const form = await openForm(other.token, browser);
    gateway.hydra.fail();
    expect((await browser.post(PATHS.mfaReset, form.fields)).location).toBe(DONE);
    expect(await readCounts(other.account)).toEqual(NONE);
  });
});

describe('with FACTOR_RESET_PROOF=password', () => {
  it('[FAR-3] [S-48] asks for the password too, counts wrong ones, and keeps the token', async () => {
    const strict = await startTestGateway({ config: ({ mfa }) => ({ mfa: { ...mfa, resetProof: 'password' } }) });
    try {
      const { account, token } = await person(strict, new SecondStepStory(strict));
      expect((await openForm(token, strict.browser())).state.password_required).toBe(true);
      const resetWith = (password: string) => reset(token, { password }, strict.browser());
      for (const wrong of ['', 'wrong', 'wrong', 'wrong', 'wrong', 'wrong']) {
        const answer = await resetWith(wrong);
        expect([answer.status, answer.state('mfa_reset_form').mfa_reset_form.error]).toEqual([422, 'password']);
      }
      const limited = await resetWith(PASSWORD);
      expect([limited.status, limited.state('mfa_reset_form').mfa_reset_form.error]).toEqual([429, 'limited']);
      expect(await readCounts(account, strict)).not.toEqual(NONE);
      strict.clock.advanceSeconds(strict.config.limits.accountFirstWaitSeconds + 1);
      expect((await resetWith(PASSWORD)).location).toBe(DONE);
      expect(await readCounts(account, strict)).toEqual(NONE);
    } finally {
      await strict.close();
    }
  });
});
