/**
 * During a rolling upgrade, an account may have a kind of second factor that only the newer version knows. This version
 * neither skips it nor removes or replaces anything that belongs to it.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account/account.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { Factors } from '../../src/mfa/factors.js';
import { RecoveryCodes } from '../../src/mfa/recovery-codes/recovery-codes.js';
import { FactorResets } from '../../src/mfa/factor-resets.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser, newPerson } from '../support/manage.js';
import { SecondStepStory } from '../support/second-step.js';
import { TotpApp } from '../../test-kit/totp-app.js';

const NEWER = 'kind-of-a-newer-version';

let gateway: TestGateway;
const holders = new Set<string>();

beforeAll(async () => {
  gateway = await startTestGateway();
  const factors = gateway.get(Factors);
  const { readCounts } = factors;
  factors.readCounts = async (accountId, trx) => {
    const counts = await readCounts.call(factors, accountId, trx);
    return holders.has(accountId) ? { ...counts, [NEWER]: 1 } : counts;
  };
});

afterAll(() => gateway.close());

const toCodes = async ({ id }: Account) => (await gateway.get(RecoveryCodes).countLeft(id)).left;

async function withNewer(): Promise<ManageUser> {
  const user = await ManageUser.enter(gateway, { account: await newPerson(gateway, { email: 'a@example.org' }), fresh: true });
  holders.add(user.account.id);
  await gateway.database.transaction((trx) => gateway.get(RecoveryCodes).make(user.account.id, trx));
  return user;
}

async function addTotp(user: ManageUser) {
  const calls = await user.rpc();
  const { body } = await calls.post('/mfa-init-totp');
  return calls.post('/mfa-verify-totp', { code: new TotpApp(String(body['secret']), gateway.clock).code() });
}

describe('a factor of a kind that only a newer version knows', () => {
  it('[RCV-1] [MAN-11] keeps its recovery codes when another one is added, and when that one is removed', async () => {
    const user = await withNewer();
    const added = await addTotp(user);
    expect([added.status, added.body]).toEqual([200, {}]);
    const calls = await user.rpc();
    expect((await calls.delete('/mfa/totp')).status).toBe(200);
    expect(await toCodes(user.account)).toBe(10);
    expect((await calls.post('/mfa-recovery-codes')).body['codes']).toHaveLength(10);
    expect((await user.page(PATHS.manage, 'manage')).manage.recovery_codes_left).toBe(10);
    expect((await user.page(PATHS.manageMfa, 'manage_mfa')).manage_mfa.recovery_codes).toEqual({
      left: 10,
      total: 10,
      unseen: true,
    });
  });

  it('[MAN-14] is not replaced as a fresh proof by a code to the mailbox', async () => {
    const user = await withNewer();
    await gateway.database.db.deleteFrom('password_credential').where('account_id', '=', user.account.id).execute();
    expect((await (await user.rpc()).post('/proof/init-mail')).status).toBe(403);
  });

  it('[FAR-3] stops a reset of all factors: nothing changes, and the link works at a newer gateway', async () => {
    const { account } = await withNewer();
    const { secret } = await gateway.get(FactorResets).issue(account, { actor: 'operator' });
    const browser = gateway.browser();
    await browser.get(`${PATHS.mfaResetForm}?reset_token=${secret}`);
    const page = await browser.get(PATHS.mfaResetForm);
    const { xsrf_token: _xsrf, reset_token } = page.state('mfa_reset_form').mfa_reset_form;
    const fields = { _xsrf, reset_token, password: PASSWORD };
    expect((await browser.post(PATHS.mfaReset, fields)).status).toBe(503);
    expect(await toCodes(account)).toBe(10);
    holders.delete(account.id);
    expect((await browser.post(PATHS.mfaReset, fields)).location).toContain('success');
    expect(await toCodes(account)).toBe(0);
  });

  it('[MFV-2] stops a sign-in from setting up a first factor', async () => {
    const account = await newPerson(gateway);
    const waiting = await new SecondStepStory(gateway).reachStep(account, { acrValues: ['urn:foyer:acr:mfa'] });
    expect(waiting.state.view).toBe('enrol');
    holders.add(account.id);
    const answer = await waiting.browser.post(SERVER_PATHS.mfaEnrolTotp, waiting.fields);
    expect(answer.location).toContain(PATHS.mfaVerify);
    expect(await gateway.get(Factors).readCounts(account.id)).toEqual({ [NEWER]: 1 });
  });
});
