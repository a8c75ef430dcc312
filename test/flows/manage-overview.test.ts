/** What the overview of the account area shows of the account. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { sql } from 'kysely';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { PATHS } from '../../src/contract/paths.js';
import { AppConsents } from '../../src/manage/session/app-consents.js';
import { TotpApp } from '../../test-kit/totp-app.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser, newPerson, signIn } from '../support/manage.js';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; rv:128.0) Gecko/20100101 Firefox/128.0';
/** Longer than a test, so that the number of apps is present on a busy machine too. */
const TIMEOUT_MS = 600_000;
const PERSON = { actor: 'person', address: '203.0.113.24', requestId: 'request' } as const;

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
  gateway.get(AppConsents).countTimeoutMs = TIMEOUT_MS;
});
afterAll(() => gateway.close());

const openOverview = async (user: ManageUser) => (await user.page(PATHS.manage, 'manage')).manage;

describe('the overview', () => {
  it('[MAN-2] shows the number of devices and apps, the last sign-in, and when the password was changed', async () => {
    const account = await newPerson(gateway);
    for (const _ of [1, 2]) await signIn(gateway, gateway.browser({ 'user-agent': FIREFOX }), account);
    const shop = gateway.hydra.client({ id: 'overview-shop', name: 'Shop' });
    for (const scopes of [['openid'], ['email']]) {
      gateway.hydra.addStoredConsent(account.id, { client: shop, scopes, grantedAt: null });
    }
    const user = await ManageUser.enter(gateway, { account, proven: true });
    const overview = await openOverview(user);
    expect(overview).toMatchObject({
      device_count: (await user.page(PATHS.manageDevices, 'manage_devices')).manage_devices.devices.length,
      app_count: 1,
      last_session: { began_at: expect.any(String), browser: 'Firefox, Windows' },
      password_changed_at: expect.any(String),
    });
    expect(overview.device_count).toBe(3);
    expect(Date.parse(overview.read_at ?? '') - Date.parse(overview.last_session?.began_at ?? '')).toBeGreaterThanOrEqual(0);
    expect(Date.parse(overview.read_at ?? '') - Date.parse(overview.last_session?.began_at ?? '')).toBeLessThan(600_000);
  });

  it('[MAN-2] shows the newest sign-in also after its end, and none of another account', async () => {
    const account = await newPerson(gateway);
    const user = await ManageUser.enter(gateway, { account, proven: true });
    await signIn(gateway, gateway.browser({ 'user-agent': FIREFOX }), await newPerson(gateway));
    expect(await openOverview(user)).not.toHaveProperty('last_session');
    const event = { ...PERSON, accountId: account.id };
    await gateway.get(AuditLog).record({ ...event, kind: 'sign-in.ok', detail: { browser: 'Chrome, Android' } });
    await gateway.get(AuditLog).record({ ...event, kind: 'password.refused', detail: { reason: 'wrong-password' } });
    expect((await openOverview(user)).last_session).toMatchObject({ browser: 'Chrome, Android' });
  });

  it('[MAN-2] shows neither sign-ins nor apps to somebody with only an access token', async () => {
    const account = await newPerson(gateway);
    await signIn(gateway, gateway.browser({ 'user-agent': FIREFOX }), account);
    const overview = await openOverview(await ManageUser.enter(gateway, { account }));
    for (const member of ['device_count', 'app_count', 'last_session', 'password_changed_at']) {
      expect(overview).not.toHaveProperty(member);
    }
  });

  it('[MAN-2] works without the number of apps while Hydra fails or is silent', async () => {
    const user = await ManageUser.enter(gateway, { proven: true });
    expect(await openOverview(user)).toHaveProperty('app_count', 0);
    gateway.hydra.fail();
    expect(await openOverview(user)).not.toHaveProperty('app_count');
    gateway.hydra.fail(null);
    const silent = jest.spyOn(gateway.hydra, 'listConsents').mockReturnValue(new Promise(() => undefined));
    gateway.get(AppConsents).countTimeoutMs = 1;
    expect(await openOverview(user)).not.toHaveProperty('app_count');
    gateway.get(AppConsents).countTimeoutMs = TIMEOUT_MS;
    silent.mockResolvedValue({ consents: [], isComplete: false });
    expect(await openOverview(user)).not.toHaveProperty('app_count');
    silent.mockRestore();
  });

  it('[MAN-2] shows what protects the account, or the one thing to do', async () => {
    const user = await ManageUser.enter(gateway, { fresh: true });
    const { id } = user.account;
    await gateway.get(Accounts).update(id, { email: `${user.account.username}@example.org`, emailVerified: true }, PERSON);
    const toProtection = async () => (await openOverview(user)).protection;
    expect(await toProtection()).toBe('factor-missing');
    const calls = await user.rpc();
    const app = new TotpApp(String((await calls.post('/mfa-init-totp')).body['secret']), gateway.clock);
    const added = await calls.post('/mfa-verify-totp', { code: app.code() });
    expect(await toProtection()).toBe('codes-unseen');
    await user.post(PATHS.manageRecoveryCodesSeen, { code: (added.body['recovery_codes'] as string[])[0] ?? '' });
    expect(await toProtection()).toBe('good');
    const { db } = gateway.database;
    const codes = await db.selectFrom('recovery_code').select('code_hash').where('account_id', '=', id).execute();
    const useUp = (hashes: readonly { code_hash: string }[]) =>
      db
        .updateTable('recovery_code')
        .set({ used_at: new Date(0) })
        .where('account_id', '=', id)
        .where(
          'code_hash',
          'in',
          hashes.map((code) => code.code_hash),
        )
        .execute();
    await useUp(codes.slice(0, 8));
    expect(await toProtection()).toBe('codes-few');
    await useUp(codes);
    expect(await toProtection()).toBe('codes-none');
  });

  it('[MAN-2] asks for an address if codes by e-mail are the only possible factor and there is none', async () => {
    const user = await ManageUser.enter(gateway);
    await sql`insert into email_code_factor (account_id, created_at) values (${user.account.id}, now())`.execute(
      gateway.database.db,
    );
    expect((await openOverview(user)).protection).toBe('email-missing');
  });

  it('[MAN-2] does not show a password that came with the account as changed', async () => {
    expect(await openOverview(await ManageUser.enter(gateway, { fresh: true }))).toHaveProperty('password_changed_at');
    const account = await gateway.get(Accounts).create({ username: 'overview.imported' }, PERSON);
    const row = { account_id: account.id, hash: '$2a$04$imported', changed_at: new Date() };
    await gateway.database.db.insertInto('password_credential').values(row).execute();
    const user = await ManageUser.enter(gateway, { account });
    await gateway.database.db
      .updateTable('manage_session')
      .set({ proven_at: new Date() })
      .where('account_id', '=', account.id)
      .execute();
    const overview = await openOverview(user);
    expect(overview.password_set).toBe(true);
    expect(overview).not.toHaveProperty('password_changed_at');
  });
});
