import type { INestApplicationContext, Type } from '@nestjs/common';
import { beforeAll, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../../src/accounts/account/accounts.js';
import { FactorResets } from '../../../src/mfa/factor-resets.js';
import { FactorsModule } from '../../../src/mfa/factors.module.js';
import { PasswordResets } from '../../../src/accounts/password/resets.js';
import { PasswordAttempts } from '../../../src/accounts/password/password-attempts.js';
import { AuditLog } from '../../../src/accounts/audit/audit-log.js';
import { RequestLimits } from '../../../src/accounts/limits/request-limits.js';
import { SetPassword } from '../../../src/accounts/password/set-password.js';
import { describeOnSampledDatabases } from '../../support/databases.js';
import { openModules } from '../../support/modules.js';
import { testConfig } from '../../support/test-config.js';
import { KEYS } from './account-parts.js';

const BY = { actor: 'person' } as const;
let count = 0;

describeOnSampledDatabases('resets', (test) => {
  let modules: INestApplicationContext;
  const get = <Part>(type: Type<Part>): Part => modules.get(type, { strict: false });

  beforeAll(async () => {
    modules = await openModules({ keys: KEYS, database: test.database }, [FactorsModule]);
  });

  async function createPerson(): Promise<Account> {
    const username = `reset.${(count += 1)}`;
    const account = await get(Accounts).create({ username, email: `${username}@example.org` });
    await get(SetPassword).setPassword(account.id, 'kupfer linde 4821');
    return account;
  }

  it('[PWR-3] [S-40] accept one of thirty new passwords that come at the same moment', async () => {
    const account = await createPerson();
    const { secret: token } = await get(PasswordResets).issue(account, BY);
    const passwords = Array.from({ length: 30 }, (_, index) => `linde kupfer ${1000 + index}`);
    const resets = passwords.map((password) => get(PasswordResets).reset({ token, password, auditContext: BY }));
    const kinds = (await Promise.all(resets)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'done')).toHaveLength(1);
    const attempt = { username: account.username, address: '192.0.2.7', device: null, requestId: 'request' };
    const password = passwords[kinds.indexOf('done')] ?? '';
    expect((await get(PasswordAttempts).prove({ ...attempt, password })).kind).toBe('proven');
  });

  it('[S-48] queue three of forty mails that are requested at the same moment, and only the newest link is valid', async () => {
    const { username, id } = await createPerson();
    const asked = { username, byEmail: false, locale: undefined, requestUrl: null, auditContext: BY };
    await Promise.all(Array.from({ length: 40 }, () => get(PasswordResets).mail(asked)));
    const { db } = test.database;
    expect(await db.selectFrom('outbox').select('id').where('account_id', '=', id).execute()).toHaveLength(3);
    expect(await db.selectFrom('one_time_secret').select('purpose').where('account_id', '=', id).execute()).toHaveLength(1);
  });

  it('[FAR-3] remove the factors once', async () => {
    const account = await createPerson();
    const { secret: token } = await get(FactorResets).issue(account, BY);
    const resets = Array.from({ length: 30 }, () => get(FactorResets).reset(account, token, BY));
    expect((await Promise.all(resets)).filter(Boolean)).toHaveLength(1);
  });

  it('[S-48] limit the requests of an address, also when they come at the same moment', async () => {
    const auditContext = { address: '192.0.2.9', requestId: 'r-1' };
    const waits = await Promise.all(Array.from({ length: 60 }, () => get(RequestLimits).count('factor-reset', auditContext)));
    expect(waits.filter((wait) => wait === null)).toHaveLength(testConfig().limits.addressFailures);
    expect(await get(RequestLimits).count('password-reset', auditContext)).toBeNull();
    const { entries } = await get(AuditLog).search({ kinds: ['request.limited'] });
    // One event, however many requests came.
    expect(entries).toEqual([expect.objectContaining({ ...auditContext, detail: { request: 'factor-reset' } })]);
  });
});
