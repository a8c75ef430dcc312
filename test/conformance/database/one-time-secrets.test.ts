import { beforeAll, expect, it } from '@jest/globals';
import { OneTimeSecrets, type OneTimeSlot } from '../../../src/accounts/secrets/one-time-secrets.js';
import { describeOnDatabases } from '../../support/databases.js';
import { AccountParts, KEYS } from './account-parts.js';

describeOnDatabases('one-time secrets', (test) => {
  let secrets: OneTimeSecrets;
  let slot: OneTimeSlot;
  beforeAll(async () => {
    secrets = new OneTimeSecrets(test.database, KEYS);
    const { id } = await new AccountParts(test.database).createPerson();
    slot = { purpose: 'factor-setup:fido2', accountId: id, boundTo: 'area:one' };
  });

  it('are consumed once, for their purpose and where they are bound to', async () => {
    const secret = await secrets.issue({ ...slot, payload: 'kept', lifetimeSeconds: 60 });
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(await secrets.consume('factor-setup:totp', secret, slot.boundTo)).toBeNull();
    expect(await secrets.consume(slot.purpose, secret)).toBeNull();
    expect(await secrets.consume(slot.purpose, secret, 'area:two')).toBeNull();
    expect(await secrets.consume(slot.purpose, secret, slot.boundTo)).toEqual({ accountId: slot.accountId, payload: 'kept' });
    expect(await secrets.consume(slot.purpose, secret, slot.boundTo)).toBeNull();
  });

  it('are consumed once when many ask at the same moment', async () => {
    const secret = await secrets.issue({ purpose: 'factor-setup:totp', lifetimeSeconds: 60 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => secrets.consume('factor-setup:totp', secret)));
    expect(answers.filter((answer) => answer !== null)).toEqual([{ accountId: null, payload: null }]);
  });

  it('expire', async () => {
    const secret = await secrets.issue({ purpose: 'factor-setup:totp', lifetimeSeconds: 60 });
    test.clock.advanceSeconds(61);
    expect(await secrets.consume('factor-setup:totp', secret)).toBeNull();
  });

  it('are replaced by the newest one, also when several are issued at the same moment', async () => {
    const older = await secrets.replace({ ...slot, payload: 'older', lifetimeSeconds: 60 });
    const elsewhere = await secrets.replace({ ...slot, boundTo: 'area:two', lifetimeSeconds: 60 });
    await Promise.all(Array.from({ length: 8 }, () => secrets.replace({ ...slot, payload: 'newer', lifetimeSeconds: 60 })));
    const { count } = test.database.db.fn;
    const row = await test.database.db
      .selectFrom('one_time_secret')
      .select(count<number>('secret_hash').as('kept'))
      .where('account_id', '=', slot.accountId)
      .executeTakeFirstOrThrow();
    expect(row.kept).toBe(2);
    expect(await secrets.findWaiting(slot)).toMatchObject({ accountId: slot.accountId, payload: 'newer', now: expect.any(Date) });
    expect(await secrets.consume(slot.purpose, older, slot.boundTo)).toBeNull();
    expect(await secrets.consume(slot.purpose, elsewhere, 'area:two')).not.toBeNull();
    expect(await test.database.transaction((trx) => secrets.discard(slot, trx))).toBe(true);
    expect(await secrets.findWaiting(slot)).toBeNull();
  });

  it('are stored as a hash, with a sealed payload', async () => {
    const secret = await secrets.issue({ ...slot, payload: 'a quiet word', lifetimeSeconds: 60 });
    const rows = await test.database.db.selectFrom('one_time_secret').selectAll().execute();
    const kept = JSON.stringify(rows);
    for (const open of [secret, 'a quiet word', slot.boundTo]) expect(kept).not.toContain(open);
  });
});
