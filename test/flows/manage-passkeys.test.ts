/** Passkeys in the account area: creating, naming and removing them, and what browsers are told. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import type { FactorEntryState } from '../../src/contract/mfa-state.js';
import { FACTOR_PATHS } from '../../src/contract/factor-paths.js';
import { PATHS } from '../../src/contract/paths.js';
import type { AssertionOptionsAnswer, InitPasskeyAnswer } from '../../src/contract/rpc.js';
import { freezeCredentials } from '../../src/accounts/account/credential-freeze.js';
import { TotpApp } from '../../test-kit/totp-app.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser } from '../support/manage.js';
import { NotMeStory } from '../support/not-me.js';
import { PasskeyStory } from '../support/passkeys.js';
import type { RpcClient } from '../support/rpc-client.js';
import { SyntheticKey } from '../support/synthetic-key.js';

const GOOGLE = Buffer.from('ea9b8d664d011d213ce4b6b48cb575d4', 'hex');
const YUBIKEY = Buffer.from('fa2b99dc9e3942578f924a30d23c4118', 'hex');
const SYNCED = ['up', 'uv', 'be', 'bs'] as const;
const DEVICE = ['up', 'uv'] as const;
const FRESH_SECONDS = 901;

let gateway: TestGateway;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterAll(() => gateway.close());

const newKey = (aaguid: Uint8Array = GOOGLE) => {
  const { origin, hostname } = new URL(gateway.config.publicUrl);
  return new SyntheticKey({ origin, rpId: hostname, aaguid });
};
const enterManage = async () => {
  const email = `passkeys.${(count += 1)}@ok.example`;
  const account = await gateway.account(`passkeys.${count}`, { email, emailVerified: true });
  return ManageUser.enter(gateway, { account, fresh: true });
};
const list = async (calls: RpcClient) =>
  (await calls.get('/mfa/passkey')).body as unknown as (FactorEntryState & { id: string })[];

async function make(calls: RpcClient, key = newKey(), flags: readonly ('up' | 'uv' | 'be' | 'bs')[] = SYNCED) {
  const begun = (await calls.post('/mfa-init-passkey')).body as unknown as InitPasskeyAnswer;
  const { challenge } = begun.publicKey as { challenge: string };
  const credentialJson = key.register(challenge, { format: 'none', flags });
  return calls.post('/mfa-verify-passkey', { sessionId: begun.sessionId, credentialJson });
}

/** Creates a person without a password who has this number of passkeys. */
async function withoutPassword(passkeys: number) {
  const user = await enterManage();
  const calls = await user.rpc();
  for (let made = 0; made < passkeys; made += 1) expect((await make(calls)).status).toBe(200);
  await gateway.database.db.deleteFrom('password_credential').where('account_id', '=', user.account.id).execute();
  return { user, calls };
}

describe('[PKY-6] a passkey in the account area', () => {
  it('is named after its vendor, with a number if there are two, shows where it is, and needs no recovery codes', async () => {
    const user = await enterManage();
    expect((await user.page(PATHS.manage, 'manage')).manage.ways_in).toEqual([{ name: 'passkey', count: 0 }]);
    const calls = await user.rpc();
    expect((await make(calls)).body).toEqual({});
    await make(calls);
    await make(calls, newKey(YUBIKEY), DEVICE);
    await make(calls, newKey(new Uint8Array(16)), DEVICE);
    expect(await list(calls)).toMatchObject([
      { name: 'Google Password Manager', synced: true, last_used_at: null },
      { name: 'Google Password Manager 2', synced: true },
      { name: 'YubiKey', synced: false },
      { name: 'Passkey', synced: false },
    ]);
    const { manage } = await user.page(PATHS.manage, 'manage');
    expect(manage.ways_in).toEqual([{ name: 'passkey', count: 4 }]);
    expect(manage.recovery_codes_left).toBeUndefined();
  });

  it('can be renamed, and gets its first name again without one', async () => {
    const user = await enterManage();
    const calls = await user.rpc();
    await make(calls);
    const [{ id } = { id: '' }] = await list(calls);
    expect((await user.post(FACTOR_PATHS.rename('passkey'), { key: id, key_name: 'Mein Telefon' })).location).toBe(
      PATHS.manageMfa,
    );
    expect(await list(calls)).toMatchObject([{ name: 'Mein Telefon' }]);
    expect((await calls.patch(`/mfa/passkey/${id}`, { name: ' ' })).status).toBe(200);
    expect(await list(calls)).toMatchObject([{ name: 'Google Password Manager' }]);
    const stranger = await (await enterManage()).rpc();
    for (const answer of [
      await stranger.patch(`/mfa/passkey/${id}`, { name: 'mine' }),
      await stranger.delete(`/mfa/passkey/${id}`),
    ]) {
      expect([answer.status, answer.body['error']]).toEqual([404, 'factor not found']);
    }
  });

  it('is removed with a notice, and the browser receives the list of the remaining passkeys', async () => {
    const user = await enterManage();
    const calls = await user.rpc();
    const [first, second] = [newKey(), newKey()];
    await make(calls, first);
    await make(calls, second);
    const [{ id } = { id: '' }] = await list(calls);
    const before = (await user.page(PATHS.manageMfa, 'manage_mfa')).manage_mfa.passkeys;
    expect(before).toMatchObject({ rp_id: 'localhost', accepted: [first.id, second.id], name: user.account.username });
    expect(Buffer.from(before?.user_id ?? '', 'base64url')).toHaveLength(64);
    const { location } = await user.post(FACTOR_PATHS.remove('passkey'), { key: id });
    expect(location).toBe(`${PATHS.manage}?status=mfa-removed&factor=passkey`);
    expect((await user.page(location ?? '', 'manage')).manage.passkeys).toEqual({ ...before, accepted: [second.id] });
    expect((await user.page(PATHS.manage, 'manage')).manage.passkeys).toBeUndefined();
    const kinds = (await gateway.get(AuditLog).list(user.account.id)).entries.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind.startsWith('factor.')).sort()).toEqual(['factor.added', 'factor.added', 'factor.removed']);
    const mails = (await new NotMeStory(gateway).listMails(user.account)).map(({ kind }) => kind);
    expect(mails.sort()).toEqual(['passkey-added', 'passkey-added', 'passkey-removed']);
  });

  it('has the new username in browsers after a change', async () => {
    const user = await enterManage();
    await make(await user.rpc());
    const username = `renamed.${(count += 1)}`;
    const { location } = await user.post(PATHS.manageUsername, { username });
    expect((await user.page(location ?? '', 'manage')).manage.passkeys).toMatchObject({ name: username });
  });

  it('is not listed for the browser if the account never had one', async () => {
    const user = await enterManage();
    expect((await user.page(PATHS.manageMfa, 'manage_mfa')).manage_mfa.passkeys).toBeUndefined();
    expect((await user.page(`${PATHS.manage}?status=mfa-removed`, 'manage')).manage.passkeys).toBeUndefined();
  });
});

describe('[PKY-4] a stolen session', () => {
  it('without a fresh proof adds, renames and removes no passkey', async () => {
    const user = await enterManage();
    const calls = await user.rpc();
    const key = newKey();
    const begun = (await calls.post('/mfa-init-passkey')).body as unknown as InitPasskeyAnswer;
    await make(calls);
    const [{ id } = { id: '' }] = await list(calls);
    gateway.clock.advanceSeconds(FRESH_SECONDS);
    const later = await user.rpc();
    const { challenge } = begun.publicKey as { challenge: string };
    const credentialJson = key.register(challenge, { format: 'none', flags: SYNCED });
    for (const answer of [
      await later.post('/mfa-init-passkey'),
      await later.post('/mfa-verify-passkey', { sessionId: begun.sessionId, credentialJson }),
      await later.patch(`/mfa/passkey/${id}`, { name: 'mine' }),
      await later.delete(`/mfa/passkey/${id}`),
    ]) {
      expect([answer.status, answer.body['error']]).toEqual([403, 'proof required']);
    }
    expect(await list(later)).toHaveLength(1);
  });

  it('adds none while credentials are frozen', async () => {
    const user = await enterManage();
    const calls = await user.rpc();
    const { database } = gateway;
    const begun = (await calls.post('/mfa-init-passkey')).body as unknown as InitPasskeyAnswer;
    const { challenge } = begun.publicKey as { challenge: string };
    await database.transaction((trx) =>
      freezeCredentials({ accountId: user.account.id, now: database.now(), seconds: 3600 }, trx),
    );
    const credentialJson = newKey().register(challenge, { format: 'none', flags: SYNCED });
    expect((await calls.post('/mfa-verify-passkey', { sessionId: begun.sessionId, credentialJson })).status).toBe(423);
    expect((await calls.post('/mfa-init-passkey')).status).toBe(423);
    expect(await list(calls)).toEqual([]);
  });

  it('adds none with the challenge of another session', async () => {
    const [one, other] = [await enterManage(), await enterManage()];
    const begun = (await (await one.rpc()).post('/mfa-init-passkey')).body as unknown as InitPasskeyAnswer;
    const { challenge } = begun.publicKey as { challenge: string };
    const credentialJson = newKey().register(challenge, { format: 'none', flags: SYNCED });
    const answer = await (await other.rpc()).post('/mfa-verify-passkey', { sessionId: begun.sessionId, credentialJson });
    expect([answer.status, answer.body['error']]).toEqual([410, 'session expired']);
  });
});

describe('a passkey beside a second factor, where a factor is required', () => {
  it('[MAN-3] lets the second factor be removed, as the page says, and then stays', async () => {
    const user = await enterManage();
    await gateway.get(Accounts).update(user.account.id, { secondFactor: 'required' });
    const calls = await user.rpc();
    await make(calls);
    const { secret } = (await calls.post('/mfa-init-totp')).body;
    expect((await calls.post('/mfa-verify-totp', { code: new TotpApp(String(secret), gateway.clock).code() })).status).toBe(200);
    const open = async () => (await user.page(PATHS.manageMfa, 'manage_mfa')).manage_mfa;
    expect(await open()).not.toHaveProperty('last_stays');
    expect((await calls.delete('/mfa/totp')).status).toBe(200);
    expect(await open()).toMatchObject({ last_stays: true });
    const [{ id } = { id: '' }] = await list(calls);
    expect(await calls.delete(`/mfa/passkey/${id}`)).toMatchObject({ status: 409, body: { error: 'factor required' } });
  });
});

describe('[PKY-7] an account without a password', () => {
  it('keeps its only passkey, and explains why', async () => {
    const { user, calls } = await withoutPassword(1);
    const [{ id } = { id: '' }] = await list(calls);
    expect(await calls.delete(`/mfa/passkey/${id}`)).toMatchObject({ status: 409, body: { error: 'last way in' } });
    const page = await user.post(FACTOR_PATHS.remove('passkey'), { key: id });
    expect([page.status, page.state('manage_mfa').manage_mfa.error]).toEqual([422, 'last way in']);
    expect(page.html).toContain('You need this to sign in');
    expect(await list(calls)).toHaveLength(1);
  });

  it('keeps one of two that are removed at the same moment', async () => {
    const { user, calls } = await withoutPassword(2);
    const ids = (await list(calls)).map(({ id }) => id);
    const all = await Promise.all([user.rpc(), user.rpc()]);
    const answers = await Promise.all(ids.map((id, index) => all[index]!.delete(`/mfa/passkey/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await list(await user.rpc())).toHaveLength(1);
  });

  it('can remove its passkey once there is another sign-in method', async () => {
    const { user, calls } = await withoutPassword(1);
    const [{ id } = { id: '' }] = await list(calls);
    await gateway.get(SetPassword).setPassword(user.account.id, 'silber ahorn 7733');
    const again = await (await ManageUser.enter(gateway, { account: user.account })).rpc();
    await again.post('/proof/init-mail');
    const mails = await new NotMeStory(gateway).listMails(user.account);
    const code = mails.find(({ kind }) => kind === 'proof-code')?.values['code'];
    expect((await again.post('/proof/verify-mail', { code })).status).toBe(200);
    expect((await again.delete(`/mfa/passkey/${id}`)).status).toBe(200);
  });

  it('can prove a change with its passkey', async () => {
    const passkeys = new PasskeyStory(gateway);
    const holder = await passkeys.createHolder();
    const user = await ManageUser.enter(gateway, { account: holder.account, fresh: true });
    await gateway.database.db.deleteFrom('password_credential').where('account_id', '=', user.account.id).execute();
    gateway.clock.advanceSeconds(FRESH_SECONDS);
    const calls = await user.rpc();
    expect(await calls.post('/mfa-init-passkey')).toMatchObject({ status: 403, body: { methods: ['passkey'] } });
    const { publicKey } = (await calls.post('/proof/init-passkey')).body as unknown as AssertionOptionsAnswer;
    const assertion = JSON.parse(holder.answer(publicKey as never)) as object;
    expect((await calls.post('/proof/verify-passkey', assertion)).status).toBe(200);
    expect((await calls.post('/mfa-init-passkey')).status).toBe(200);
  });
});
