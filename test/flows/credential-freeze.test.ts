/** After "that was not me", nobody can change credentials for a while, unless a contact person ends the freeze. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { ChangePassword } from '../../src/accounts/password/change-password.js';
import { ChangeUsername } from '../../src/accounts/changes/change-username.js';
import { CredentialFreeze, CredentialsFrozen } from '../../src/accounts/account/credential-freeze.js';
import { FactorResets } from '../../src/mfa/factor-resets.js';
import { Factors } from '../../src/mfa/factors.js';
import { Outbox } from '../../src/accounts/queue/outbox.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { ManageUser } from '../support/manage.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { NotMeStory } from '../support/not-me.js';
import { OWN_CHANGE } from '../support/proven-session.js';
import { ResetStory } from '../support/resets.js';
import { SecondStepStory } from '../support/second-step.js';
import { TotpApp } from '../../test-kit/totp-app.js';
import { TOTP } from '../../src/mfa/factors/totp/totp.kind.js';
import { WEBAUTHN } from '../../src/mfa/factors/webauthn/webauthn.kind.js';

const DAY_SECONDS = 24 * 3600;
const BY = { actor: 'person' } as const;

let gateway: TestGateway;
let story: NotMeStory;
let steps: SecondStepStory;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
  story = new NotMeStory(gateway);
  steps = new SecondStepStory(gateway);
});

afterAll(() => gateway.close());

/** Secures the account with the link, then sets the same password again. */
async function freezeNewAccount(): Promise<Account> {
  const made = await gateway.account(`frozen.${(count += 1)}`, { email: `frozen${count}@example.org` });
  const { account } = await steps.createKeyHolder(made);
  await story.submit(await story.findToken(account, 'security-key-added'));
  await new ResetStory(gateway).reset(await story.findToken(account, 'account-secured'), {
    password: PASSWORD,
    password_repeat: PASSWORD,
  });
  return account;
}

/** Opens the account area with a token of an app, and proves the second factor there. */
async function enterManage(account: Account): Promise<ManageUser> {
  const user = await ManageUser.enter(gateway, { account });
  const now = gateway.clock.now();
  const proven = gateway.database.db.updateTable('manage_session').set({ proven_at: now, factor_proven_at: now });
  await proven.where('account_id', '=', account.id).execute();
  return user;
}

const NEW_PASSWORD = { password: PASSWORD, newPassword: 'amsel birke 7711', newPasswordRepeat: 'amsel birke 7711' };

describe('[NTC-5] frozen credentials', () => {
  it('[NTC-1] are locked on the pages until a stated time, without script too', async () => {
    const user = await enterManage(await freezeNewAccount());
    const { manage } = await user.page(PATHS.manage, 'manage');
    expect(Date.parse(manage.frozen_until ?? '')).toBeGreaterThan(gateway.clock.now().getTime());
    const { html } = await user.browser.get(PATHS.manage);
    expect(html).not.toContain(`href="${PATHS.manageUsername}"`);
    expect(html).not.toContain(`href="${PATHS.managePassword}"`);
    expect(html).toContain(`Locked until <time dateTime="${manage.frozen_until ?? ''}"`);
    const { manage_mfa } = await user.page(PATHS.manageMfa, 'manage_mfa');
    expect(manage_mfa.frozen_until).toBe(manage.frozen_until);
  });

  it('[NTC-1] refuse every change by RPC, with a specific error code and the remaining time', async () => {
    const account = await freezeNewAccount();
    const rpc = await (await enterManage(account)).rpc();
    const [key] = (await rpc.get('/mfa/fido2')).body as unknown as { id: string }[];
    for (const [method, path, body] of [
      ['PUT', '/password', NEW_PASSWORD],
      ['PUT', '/username', { username: 'somebody.else' }],
      ['POST', '/mfa-init-totp', undefined],
      ['POST', '/mfa-verify-totp', { code: '123456' }],
      ['POST', '/mfa-init-fido2', undefined],
      ['DELETE', '/mfa/totp', undefined],
      ['DELETE', `/mfa/fido2/${key?.id ?? ''}`, undefined],
      ['POST', '/mfa-recovery-codes', undefined],
      ['GET', '/data', undefined],
    ] as const) {
      const { status, body: answer, headers } = await rpc.call(method, path, body);
      expect([path, status, answer['error']]).toEqual([path, 423, 'credentials frozen']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(DAY_SECONDS - 600);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(DAY_SECONDS);
    }
    expect(await gateway.get(Factors).readCounts(account.id)).toEqual({ webauthn: 1, 'recovery-codes': 10 });
    expect((await gateway.get(Accounts).find(account.id))?.username).toBe(account.username);
  });

  it('[NTC-1] refuse a call with the same code if they are frozen while it runs', async () => {
    const account = await freezeNewAccount();
    const rpc = await (await enterManage(account)).rpc();
    const [key] = (await rpc.get('/mfa/fido2')).body as unknown as { id: string }[];
    const find = jest.spyOn(gateway.get(CredentialFreeze), 'find');
    for (const [method, path, body] of [
      ['PUT', '/password', NEW_PASSWORD],
      ['PUT', '/username', { username: 'somebody.else' }],
      ['DELETE', `/mfa/fido2/${key?.id ?? ''}`, undefined],
      ['POST', '/mfa-recovery-codes', undefined],
      ['GET', '/data', undefined],
    ] as const) {
      find.mockResolvedValueOnce(null);
      const { status, body: answer, headers } = await rpc.call(method, path, body);
      expect([path, status, answer['error']]).toEqual([path, 423, 'credentials frozen']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(DAY_SECONDS - 600);
    }
    find.mockResolvedValueOnce(null);
    const { body: setup } = await rpc.call('POST', '/mfa-init-totp');
    find.mockResolvedValueOnce(null);
    const code = new TotpApp(String(setup['secret']), gateway.clock).code();
    expect((await rpc.call('POST', '/mfa-verify-totp', { code })).status).toBe(423);
    find.mockRestore();
  });

  it('[NTC-1] [GEN-9] lead every page of a change to the overview, which explains the freeze', async () => {
    const user = await enterManage(await freezeNewAccount());
    for (const path of [
      PATHS.managePassword,
      PATHS.manageUsername,
      SERVER_PATHS.manageRegisterTotp,
      SERVER_PATHS.manageRegisterFido2,
      PATHS.manageRecoveryCodes,
      PATHS.manageData,
    ]) {
      const page = await user.browser.get(path);
      expect([path, page.location]).toEqual([path, PATHS.manage]);
    }
    for (const [path, fields] of [
      [PATHS.managePassword, NEW_PASSWORD],
      [PATHS.manageUsername, { username: 'somebody.else' }],
      [SERVER_PATHS.manageRemoveFido2, { key: 'any' }],
      [PATHS.manageRecoveryCodes, {}],
      [PATHS.manageData, {}],
    ] as const) {
      expect([path, (await user.post(path, fields)).location]).toEqual([path, PATHS.manage]);
    }
    expect((await user.page(PATHS.manage, 'manage')).manage.frozen_hours).toBe(24);
  });

  it('[NTC-1] also refuse a change that was admitted just before, in its transaction', async () => {
    const account = await freezeNewAccount();
    const change = { account, currentPassword: PASSWORD, newPassword: 'amsel birke 7711', browser: 'b', device: null };
    const auditContext = { ...OWN_CHANGE, address: '192.0.2.1', requestId: 'r' };
    const { sessionId } = { sessionId: '00000000-0000-4000-8000-000000000000' };
    const factors = gateway.get(Factors);
    const [accountId, factor] = [account.id, WEBAUTHN];
    const tries = [
      () => gateway.get(ChangePassword).change({ ...change, sessionId, auditContext }),
      () => gateway.get(ChangeUsername).change(account, 'somebody.else', OWN_CHANGE),
      () => factors.add({ accountId, factor, auditContext: BY, onlyFirst: false }, () => Promise.resolve(null)),
      () => factors.remove({ accountId, factor, auditContext: BY, mayBeLast: true }, () => Promise.resolve('key')),
      () => factors.renewRecoveryCodes({ accountId, auditContext: BY }),
    ];
    for (const attempt of tries) await expect(attempt()).rejects.toBeInstanceOf(CredentialsFrozen);
  });

  it('[NTC-1] [PWR-7] leave sign-in open: a login, a new password by mail, and a first factor that a sign-in requires', async () => {
    const account = await freezeNewAccount();
    await steps.reachStep(account);
    await new ResetStory(gateway).reset(await new ResetStory(gateway).requestToken(account.username));
    const { secret } = await gateway.get(FactorResets).issue(account, { actor: 'operator' });
    expect(await gateway.get(FactorResets).reset(account, secret, BY)).toBe(true);
    const addition = { accountId: account.id, factor: TOTP, auditContext: BY, onlyFirst: true } as const;
    expect(await gateway.get(Factors).add(addition, () => Promise.resolve(null))).toMatchObject({ kind: 'added' });
  });

  it('[NTC-1] end by themselves; a second "not me" starts the time again', async () => {
    const account = await freezeNewAccount();
    gateway.clock.advanceSeconds(3600);
    const notice = { kind: 'factors-reset', accountId: account.id } as const;
    await gateway.database.transaction((trx) => gateway.get(Outbox).queueNotice(notice, trx));
    await story.submit(await story.findToken(account, 'factors-reset'));
    gateway.clock.advanceSeconds(DAY_SECONDS - 60);
    expect((await gateway.get(CredentialFreeze).find(account.id))?.seconds).toBeLessThanOrEqual(60);
    gateway.clock.advanceSeconds(61);
    expect(await gateway.get(CredentialFreeze).find(account.id)).toBeNull();
    await gateway.get(ChangeUsername).change(account, `thawed.${count}`, OWN_CHANGE);
  });

  it('[NTC-1] end when an operator ends them, which is recorded once', async () => {
    const account = await freezeNewAccount();
    const freeze = gateway.get(CredentialFreeze);
    await freeze.lift(account, { actor: 'operator' });
    await freeze.lift(account, { actor: 'operator' });
    expect(await freeze.find(account.id)).toBeNull();
    const { entries } = await gateway.get(AuditLog).list(account.id);
    expect(entries.filter(({ kind }) => kind === 'freeze.lifted')).toHaveLength(1);
    await gateway.get(ChangeUsername).change(account, `lifted.${count}`, OWN_CHANGE);
  });
});
