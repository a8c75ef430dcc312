/** Gateways with different orders of `SECRETS_SYSTEM`, as in the middle of a rotation. */
import { expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { useStoredCounterKey } from '../../../src/accounts/limits/counter-key.js';
import { Keys } from '../../../src/config/keys.js';
import { FactorUnreadable } from '../../../src/mfa/factor.errors.js';
import { SeedResealer } from '../../../src/mfa/factors/totp/seed-resealer.js';
import { describeOnSampledDatabases } from '../../support/databases.js';
import { AccountParts, countKinds } from './account-parts.js';
import { BY, FactorParts } from './factor-parts.js';

const OLD = 'the old secret of the installation, for tests';
const NEW = 'the new secret of the installation, for tests';
const NAME_OF_NOBODY = 'counted';

describeOnSampledDatabases('secrets in rotation', (test) => {
  async function createGateway(...secrets: string[]): Promise<AccountParts> {
    const keys = new Keys(secrets);
    expect(await useStoredCounterKey(keys, test.database)).toBe(true);
    return new AccountParts(test.database, { keys });
  }

  it('[INS-11] let the counters of the previous version continue', async () => {
    const before = new AccountParts(test.database, { keys: new Keys([OLD]) });
    const verdicts = await before.fail('counted-before', 4);
    verdicts.push(...(await (await createGateway(OLD)).fail('counted-before', 2)));
    expect(countKinds(verdicts)).toEqual({ refused: 5, limited: 1 });
  });

  it('[INS-11] [S-21] count wrong passwords together in any order of secrets, through the whole rotation', async () => {
    const rotation = [
      await createGateway(OLD),
      await createGateway(OLD, NEW),
      await createGateway(NEW, OLD),
      await createGateway(NEW),
    ];
    const verdicts = [];
    for (const parts of rotation) verdicts.push(...(await parts.fail(NAME_OF_NOBODY, 2)));
    expect(countKinds(verdicts)).toEqual({ refused: 5, limited: 3 });
  });

  it('are reported when none of them opens the stored key, which is then replaced', async () => {
    const stranger = new Keys(['a secret that was never listed before, for tests']);
    expect(await useStoredCounterKey(stranger, test.database)).toBe(false);
    expect(await useStoredCounterKey(stranger, test.database)).toBe(true);
  });

  it('[INS-11] let seeds be sealed again in batches, with a pause after each', async () => {
    const newer = await FactorParts.create(test, { secrets: [NEW, OLD] });
    const { account } = await (await FactorParts.create(test, { secrets: [OLD] })).createWithTotp();
    await sql`
      with made as (
        insert into account (username, username_key, display_name, status, created_at, updated_at)
        select 'batch.' || n, 'batch.' || n, 'Batch', 'active', now(), now() from generate_series(1, 400) n returning id)
      insert into totp_factor (account_id, secret, last_step, created_at)
      select made.id, f.secret, 0, now() from made, totp_factor f where f.account_id = ${account.id}`.execute(test.database.db);
    const seeds = newer.service(SeedResealer);
    const rests: number[] = [];
    seeds.pause = (milliseconds) => {
      rests.push(milliseconds);
      return Promise.resolve();
    };
    expect((await seeds.reseal()).resealed).toBeGreaterThanOrEqual(401);
    expect(rests.length).toBeGreaterThanOrEqual(2);
    expect(Math.min(...rests)).toBeGreaterThan(0);
  });

  it('[INS-11] let a seed count once if two gateways seal it again at the same time', async () => {
    const newer = await FactorParts.create(test, { secrets: [NEW, OLD] });
    const seeds = newer.service(SeedResealer);
    await sql`delete from totp_factor`.execute(test.database.db);
    await Promise.all([seeds.reseal(), seeds.reseal()]);
    await (await FactorParts.create(test, { secrets: [OLD] })).createWithTotp();
    const results = await Promise.all([seeds.reseal(), seeds.reseal()]);
    expect(results.map(({ resealed }) => resealed).sort()).toEqual([0, 1]);
  });

  it('are reported as a fault of the installation when none of them opens a seed', async () => {
    const { account, app } = await (await FactorParts.create(test, { secrets: [OLD] })).createWithTotp();
    const parts = await FactorParts.create(test, { secrets: [NEW] });
    const refused = parts.totp.verify({ accountId: account.id, code: app.code(), auditContext: BY });
    await expect(refused).rejects.toThrow(FactorUnreadable);
    await expect(refused).rejects.toThrow(/SECRETS_SYSTEM does not list: add that secret again/);
  });
});
