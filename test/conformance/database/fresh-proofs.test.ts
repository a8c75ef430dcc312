import { expect, it } from '@jest/globals';
import { ManageSessionRecords } from '../../../src/accounts/sessions/manage-sessions.js';
import { randomToken } from '../../../src/config/keys.js';
import { describeOnDatabases } from '../../support/databases.js';
import { testConfig } from '../../support/test-config.js';
import { AccountParts, KEYS, newName } from './account-parts.js';

const CONFIG = testConfig();

describeOnDatabases('fresh proofs', (test) => {
  it('[S-122] need more than a password for a person with a passkey, also when the passkey is newer', async () => {
    const { accounts, audit } = new AccountParts(test.database);
    const records = new ManageSessionRecords(test.database, KEYS, CONFIG, audit);
    const { id: accountId } = await accounts.create({ username: newName() });
    const from = { browser: randomToken(), manageSession: null };
    const token = { token: randomToken(), tokenIssuedAt: null, tokenExpiresAt: null, clientId: 'demo' };
    const proofs = { provenAt: test.clock.now(), factorProvenAt: null };
    const secret =
      (await records.open({ ...token, ...proofs, accountId, manageBrowser: from, byBrowser: false, returnTo: null })) ?? '';
    const { sessionId, isFresh: wasFresh } = (await records.findByCookie(secret)) ?? { sessionId: '', isFresh: false };
    const isFresh = async () => (await records.findByCookie(secret))?.isFresh;
    expect(wasFresh).toBe(true);
    await addPasskey(accountId);
    expect(await isFresh()).toBe(false);
    await records.prove(sessionId, 'password');
    expect(await isFresh()).toBe(false);
    await records.prove(sessionId, 'factor');
    const client = { ...from, byBrowser: false, address: '10.0.0.1', requestId: 'test' };
    const admitted = await records.admitCall(records.createFirstToken(sessionId), client);
    expect([await isFresh(), admitted?.session.isFresh, (await records.findAdmitted(sessionId))?.isFresh]).toEqual([
      true,
      true,
      true,
    ]);
    test.clock.advanceSeconds(CONFIG.manage.freshProofSeconds + 5);
    expect(await isFresh()).toBe(false);
    // A gateway of the previous version writes only this one time.
    const before = test.database.db.updateTable('manage_session').set({ proven_at: test.clock.now() });
    await before.where('id', '=', sessionId).execute();
    expect(await isFresh()).toBe(false);
    const off = { ...CONFIG, passkeys: { ...CONFIG.passkeys, mode: 'off' as const } };
    expect((await new ManageSessionRecords(test.database, KEYS, off, audit).findByCookie(secret))?.isFresh).toBe(true);
  });

  async function addPasskey(accountId: string): Promise<void> {
    const passkey = {
      account_id: accountId,
      credential_id: randomToken(),
      public_key: Buffer.from([1]),
      algorithm: -7,
      counter: 0,
      backup_eligible: false,
      backed_up: false,
      user_verified: true,
      transports: [],
      aaguid: '00000000-0000-0000-0000-000000000000',
      name: 'Passkey',
      created_at: test.clock.now(),
    };
    await test.database.db.insertInto('passkey').values(passkey).execute();
  }
});
