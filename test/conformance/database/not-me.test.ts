import type { INestApplicationContext, Type } from '@nestjs/common';
import { beforeAll, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../../src/accounts/account/accounts.js';
import { ChangeUsername } from '../../../src/accounts/changes/change-username.js';
import { CredentialFreeze, CredentialsFrozen } from '../../../src/accounts/account/credential-freeze.js';
import { OneTimeSecrets } from '../../../src/accounts/secrets/one-time-secrets.js';
import { OutboxClaims } from '../../../src/accounts/queue/outbox-claims.js';
import { Outbox } from '../../../src/accounts/queue/outbox.js';
import { SecureAccount } from '../../../src/accounts/changes/secure-account.js';
import { describeOnSampledDatabases } from '../../support/databases.js';
import { OWN_CHANGE } from '../../support/proven-session.js';
import { openModules } from '../../support/modules.js';
import { KEYS } from './account-parts.js';

const BY = { actor: 'person' } as const;
let count = 0;

describeOnSampledDatabases('"that was not me"', (test) => {
  let modules: INestApplicationContext;
  const get = <Part>(type: Type<Part>): Part => modules.get(type);

  beforeAll(async () => {
    modules = await openModules({ keys: KEYS, database: test.database });
  });

  const createPerson = (): Promise<Account> => {
    const username = `notme.${(count += 1)}`;
    return get(Accounts).create({ username, email: `${username}@example.org` });
  };

  /** @returns the secrets of the links in the mails */
  async function findMailTokens(accountId: string, times: number): Promise<string[]> {
    for (let time = 0; time < times; time++) {
      await test.database.transaction((trx) => get(Outbox).queueNotice({ kind: 'totp-added', accountId }, trx));
    }
    const mails = await get(OutboxClaims).claim(100);
    return mails.filter(({ kind }) => kind === 'totp-added').map(({ values }) => String(values['token']));
  }

  it('[NTC-1] secures the account once, however many links are used at the same moment', async () => {
    const { id } = await createPerson();
    const tokens = await findMailTokens(id, 3);
    expect(new Set(tokens).size).toBe(3);
    const pressed = Array.from({ length: 30 }, (_, index) => get(SecureAccount).secure(tokens[index % 3] ?? '', BY));
    const kinds = (await Promise.all(pressed)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'done')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'used')).toHaveLength(29);
    const { db } = test.database;
    const mails = await db.selectFrom('outbox').select('kind').where('account_id', '=', id).execute();
    expect(mails.filter(({ kind }) => kind === 'account-secured')).toHaveLength(1);
    const secrets = await db.selectFrom('one_time_secret').select('purpose').where('account_id', '=', id).execute();
    expect(secrets.map(({ purpose }) => purpose).sort()).toEqual(['not-me-used', 'not-me-used', 'not-me-used', 'password-reset']);
  });

  it('[NTC-1] and a change at the same moment: the change came first, or it is refused', async () => {
    for (let round = 0; round < 10; round++) {
      const account = await createPerson();
      const [token = ''] = await findMailTokens(account.id, 1);
      const wanted = `${account.username}.new`;
      const [change, pressed] = await Promise.allSettled([
        get(ChangeUsername).change(account, wanted, OWN_CHANGE),
        get(SecureAccount).secure(token, BY),
      ]);
      expect(pressed).toMatchObject({ value: { kind: 'done' } });
      const now = (await get(Accounts).find(account.id))?.username;
      if (change.status === 'fulfilled') expect(now).toBe(wanted);
      else expect([change.reason, now]).toEqual([expect.any(CredentialsFrozen), account.username]);
      await expect(get(ChangeUsername).change(account, `${wanted}.2`, OWN_CHANGE)).rejects.toBeInstanceOf(CredentialsFrozen);
      expect((await get(CredentialFreeze).find(account.id))?.seconds).toBeGreaterThan(86_000);
    }
  });

  it('[NTC-1] is undone with a transaction that fails: no notice and no link remain', async () => {
    const { id } = await createPerson();
    const failing = test.database.transaction(async (trx) => {
      await get(Outbox).queueNotice({ kind: 'password-changed', accountId: id }, trx);
      throw new Error('the change failed');
    });
    await expect(failing).rejects.toThrow('the change failed');
    const { db } = test.database;
    expect(await db.selectFrom('one_time_secret').select('purpose').where('account_id', '=', id).execute()).toEqual([]);
    expect(await db.selectFrom('outbox').select('id').where('account_id', '=', id).execute()).toEqual([]);
  });

  it('[NTC-1] needs an address: an account without one gets no notice, and no link is stored', async () => {
    const { id } = await get(Accounts).create({ username: `notme.${(count += 1)}` });
    expect(await findMailTokens(id, 1)).toEqual([]);
    expect(await get(OneTimeSecrets).find('not-me', 'A'.repeat(43))).toBeNull();
    const left = test.database.db.selectFrom('one_time_secret').select('purpose').where('account_id', '=', id);
    expect(await left.execute()).toEqual([]);
  });
});
