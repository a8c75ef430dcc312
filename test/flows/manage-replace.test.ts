/** Replacing a second factor: the old one is removed when the new one is confirmed, and never before (MAN-3). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { toFactorCounter } from '../../src/accounts/limits/factor-counters.js';
import { Factors } from '../../src/mfa/factors.js';
import { OutboxClaims } from '../../src/accounts/queue/outbox-claims.js';
import { Keys } from '../../src/config/keys.js';
import type { InitFido2Answer } from '../../src/contract/rpc.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { WebAuthnFactor } from '../../src/mfa/factors/webauthn/webauthn.factor.js';
import { TotpFactor } from '../../src/mfa/factors/totp/totp.factor.js';
import { ManageUser, newPerson } from '../support/manage.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import type { RpcClient } from '../support/rpc-client.js';
import { SyntheticKey } from '../support/synthetic-key.js';
import { TotpApp } from '../../test-kit/totp-app.js';
import type { TotpSetupState } from '../../src/contract/mfa-state.js';
import { KeysUnderTest, TotpUnderTest } from '../support/factors-under-test.js';

const DONE = `${PATHS.manage}?status=mfa-success&factor=totp`;
const BY = { actor: 'person' } as const;
const ANOTHER_STEP_SECONDS = 60;

let gateway: TestGateway;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterAll(() => gateway.close());

const toApp = (secret: unknown) => new TotpApp(String(secret), gateway.clock);
const newKey = () => new SyntheticKey({ origin: gateway.config.publicUrl, rpId: new URL(gateway.config.publicUrl).hostname });
const readCounts = ({ account }: ManageUser) => gateway.get(Factors).readCounts(account.id);
const toKeys = async (user: ManageUser) => (await openMfa(user)).factors[1]!.entries;
const openMfa = async (user: ManageUser) => (await user.page(PATHS.manageMfa, 'manage_mfa')).manage_mfa;

/** Creates a person who needs a second factor, in the account area with a fresh proof. */
async function enterWithRequiredFactor() {
  const account = await newPerson(gateway, { secondFactor: 'required', email: `bound${(count += 1)}@example.org` });
  await gateway.get(Accounts).update(account.id, { secondFactor: 'optional' });
  const user = await ManageUser.enter(gateway, { account, fresh: true });
  await gateway.get(Accounts).update(account.id, { secondFactor: 'required' });
  return { user, calls: await user.rpc() };
}

async function withApp() {
  const { user, calls } = await enterWithRequiredFactor();
  const app = toApp((await calls.post('/mfa-init-totp')).body['secret']);
  await calls.post('/mfa-verify-totp', { code: app.code() });
  gateway.clock.advanceSeconds(ANOTHER_STEP_SECONDS);
  return { user, calls, app };
}

const canProve = async ({ account }: ManageUser, app: TotpApp) =>
  (await new TotpUnderTest(gateway.get(TotpFactor)).verify({ accountId: account.id, code: app.code(), auditContext: BY }))
    .kind === 'proven';

async function register(calls: RpcClient, device: SyntheticKey, more: object = {}) {
  const { challenge, sessionId } = (await calls.post('/mfa-init-fido2')).body as unknown as InitFido2Answer;
  return calls.post('/mfa-verify-fido2', { sessionId, credentialJson: device.register(challenge), ...more });
}

describe('an authenticator app', () => {
  it('[MAN-3] [MAN-11] [GEN-9] is replaced with plain forms, also if it is the only factor and one is required', async () => {
    const { user, app: old } = await withApp();
    expect(await openMfa(user)).toMatchObject({ last_stays: true });
    expect((await user.post(SERVER_PATHS.manageRemoveTotp)).state('manage_mfa').manage_mfa.error).toBe('factor required');
    const begun = (await user.post(SERVER_PATHS.manageReplaceTotp)).state('manage_factor').manage_factor;
    expect(begun).toMatchObject({ error: null, replaces: true, setup: expect.anything() });
    const app = toApp((begun.setup as TotpSetupState | undefined)?.secret);
    const wrong = await user.post(SERVER_PATHS.manageReplaceTotp, { code: app.wrongCode() });
    expect([wrong.status, wrong.state('manage_factor').manage_factor]).toEqual([
      422,
      { factor: 'totp', error: 'invalid verification code', replaces: true, setup: begun.setup },
    ]);
    expect(await canProve(user, old)).toBe(true);
    gateway.clock.advanceSeconds(ANOTHER_STEP_SECONDS);
    expect((await user.post(SERVER_PATHS.manageReplaceTotp, { code: app.code() })).location).toBe(DONE);
    gateway.clock.advanceSeconds(ANOTHER_STEP_SECONDS);
    expect([await canProve(user, old), await canProve(user, app)]).toEqual([false, true]);
    // The recovery codes remain.
    expect(await readCounts(user)).toEqual({ totp: 1, 'recovery-codes': 10 });
  });

  it('[NTC-1] is logged and notified by mail as one app that was removed and one that was added', async () => {
    const { user, calls } = await withApp();
    const app = toApp((await calls.post('/mfa-init-totp', { replace: true })).body['secret']);
    expect(await calls.post('/mfa-verify-totp', { code: app.code(), replace: true })).toMatchObject({ status: 200, body: {} });
    const { entries } = await gateway.get(AuditLog).list(user.account.id);
    expect(entries.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['factor.removed', 'factor.added']));
    const mails = (await gateway.get(OutboxClaims).claim(100)).filter(({ recipient }) => recipient === user.account.email);
    expect(mails.map(({ kind }) => kind).sort()).toEqual(['totp-added', 'totp-added', 'totp-removed']);
  });

  it('[MAN-11] is not replaced by another set-up, if there is none, or with a `replace` that is not a boolean', async () => {
    const { user, calls, app } = await withApp();
    expect((await calls.post('/mfa-init-totp')).body).toEqual({ error: 'totp already registered' });
    expect((await calls.post('/mfa-init-totp', { replace: 'yes' })).body).toEqual({ error: 'could not parse request' });
    const begun = toApp((await calls.post('/mfa-init-totp', { replace: true })).body['secret']);
    expect((await calls.post('/mfa-verify-totp', { code: begun.code() })).body).toEqual({ error: 'totp already registered' });
    expect(await canProve(user, app)).toBe(true);
    const { user: bare, calls: none } = await enterWithRequiredFactor();
    expect((await none.post('/mfa-init-totp', { replace: true })).body).toEqual({ error: 'totp not found' });
    expect((await bare.browser.get(SERVER_PATHS.manageReplaceTotp)).location).toBe(PATHS.manageMfa);
    gateway.clock.advanceSeconds(gateway.config.manage.freshProofSeconds + 5);
    expect((await user.page(SERVER_PATHS.manageReplaceTotp, 'manage_confirm')).manage_confirm.next).toBe(
      SERVER_PATHS.manageReplaceTotp,
    );
    expect((await calls.post('/mfa-init-totp', { replace: true })).body).toMatchObject({ error: 'proof required' });
  });
});

describe('a security key', () => {
  it('[MAN-3] [MAN-12] is replaced in one step if it is the only one', async () => {
    const { user, calls } = await enterWithRequiredFactor();
    await register(calls, newKey(), { name: 'old' });
    const [old] = await toKeys(user);
    const { manage_factor } = await user.page(SERVER_PATHS.manageReplaceFido2, 'manage_factor');
    expect(manage_factor).toEqual({ factor: 'fido2', error: null, replaces: old?.id });
    expect((await calls.delete(`/mfa/fido2/${old?.id ?? ''}`)).body).toEqual({ error: 'factor required' });
    expect((await register(calls, newKey(), { name: 'new', replaces: old?.id })).status).toBe(200);
    expect((await toKeys(user)).map(({ name }) => name)).toEqual(['new']);
    expect(await readCounts(user)).toEqual({ webauthn: 1, 'recovery-codes': 10 });
    await register(calls, newKey());
    expect((await user.browser.get(SERVER_PATHS.manageReplaceFido2)).location).toBe(PATHS.manageMfa);
    expect(await openMfa(user)).not.toHaveProperty('last_stays');
  });

  it('[MAN-12] is kept if the new one is refused, and nobody replaces the key of another person', async () => {
    const { user, calls } = await enterWithRequiredFactor();
    const { user: stranger, calls: theirs } = await enterWithRequiredFactor();
    const device = newKey();
    await register(calls, newKey());
    await register(theirs, device);
    const [own] = await toKeys(user);
    const [foreign] = await toKeys(stranger);
    // The same credential is refused after the old key was removed, and together with it.
    expect((await register(calls, device, { replaces: own?.id })).body).toEqual({ error: 'fido2 already registered' });
    expect((await register(calls, newKey(), { replaces: foreign?.id })).body).toEqual({ error: 'fido2 not found' });
    expect((await register(calls, newKey(), { replaces: 'x' })).body).toEqual({ error: 'fido2 not found' });
    expect(await toKeys(user)).toEqual([own]);
    expect(await toKeys(stranger)).toEqual([foreign]);
  });

  it('[MAN-12] [S-64] does not inherit the failures of the replaced one', async () => {
    const { user, calls } = await enterWithRequiredFactor();
    await register(calls, newKey());
    const { id: accountId } = user.account;
    const refuseKey = () =>
      new KeysUnderTest(gateway.get(WebAuthnFactor)).finishAssertion({
        accountId,
        boundTo: 'nowhere',
        credential: {},
        auditContext: BY,
      });
    expect(await refuseKey()).toEqual({ kind: 'refused' });
    await gateway.database.db
      .updateTable('attempt_counter')
      .set({ failures: gateway.config.limits.accountStopAt })
      .where('key', '=', toFactorCounter(new Keys(gateway.config.secrets), 'fido2', accountId))
      .execute();
    expect(await refuseKey()).toEqual({ kind: 'stopped' });
    const [old] = await toKeys(user);
    expect((await register(calls, newKey(), { replaces: old?.id })).status).toBe(200);
    expect(await refuseKey()).toEqual({ kind: 'refused' });
  });

  it('[MAN-12] [R-08] is replaced once by two requests at the same moment, and not while credentials are frozen', async () => {
    const { user, calls } = await enterWithRequiredFactor();
    await register(calls, newKey());
    const [old] = await toKeys(user);
    const other = await ManageUser.enter(gateway, { account: user.account, fresh: false });
    const proven = { proven_at: gateway.clock.now(), factor_proven_at: gateway.clock.now() };
    await gateway.database.db.updateTable('manage_session').set(proven).where('account_id', '=', user.account.id).execute();
    const both = await Promise.all([calls, await other.rpc()].map((one) => register(one, newKey(), { replaces: old?.id })));
    // The new key invalidates the proof with the other one.
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
    const [left, ...more] = await toKeys(user);
    expect(more).toEqual([]);
    const begun = (await calls.post('/mfa-init-fido2')).body as unknown as InitFido2Answer;
    await gateway.database.db
      .updateTable('account')
      .set({ credentials_frozen_until: new Date(gateway.clock.now().getTime() + 3_600_000) })
      .where('id', '=', user.account.id)
      .execute();
    const credentialJson = newKey().register(begun.challenge);
    const frozen = await calls.post('/mfa-verify-fido2', { sessionId: begun.sessionId, credentialJson, replaces: left?.id });
    expect(frozen.body).toMatchObject({ error: 'credentials frozen' });
    expect(await toKeys(user)).toEqual([left]);
  });
});
