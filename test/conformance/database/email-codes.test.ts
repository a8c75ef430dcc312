/** Codes by e-mail on both databases: rotated secrets, and the order of locks. */
import { beforeAll, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { Account } from '../../../src/accounts/account/account.js';
import { lockAccount } from '../../../src/accounts/account/lock.js';
import { OutboxClaims } from '../../../src/accounts/queue/outbox-claims.js';
import { ProofCodes } from '../../../src/accounts/secrets/proof-codes.js';
import { EmailCodeFactor } from '../../../src/mfa/factors/email-code/email-code.factor.js';
import { describeOnDatabases } from '../../support/databases.js';
import { BY, FactorParts, SECRET } from './factor-parts.js';

const BOUND_TO = 'pending:one';

describeOnDatabases('codes by e-mail', (test) => {
  let before: FactorParts;
  let after: FactorParts;

  beforeAll(async () => {
    before = await FactorParts.create(test);
    after = await FactorParts.create(test, { secrets: ['the secret of after the rotation', SECRET] });
  });

  async function createHolder(): Promise<Account> {
    const account = await before.createPerson();
    const { transfer } = before.service(EmailCodeFactor);
    await test.database.transaction((trx) => transfer.insert(new Map([[account.id, '']]), trx));
    return account;
  }

  async function findCode({ username }: Account): Promise<string> {
    const mails = (await after.service(OutboxClaims).claim(100)).filter((mail) => mail.username === username);
    return String(mails.at(-1)?.values['code']);
  }

  const verify = (account: Account, code: string) =>
    after.service(EmailCodeFactor).verify({ accountId: account.id, boundTo: BOUND_TO, answer: { code }, auditContext: BY });

  it('[MFV-4] are still right when the secrets were rotated after they were sent', async () => {
    const account = await createHolder();
    await before.service(EmailCodeFactor).beginProof({ account, boundTo: BOUND_TO }, BY);
    expect(await verify(account, await findCode(account))).toEqual({ kind: 'proven' });
  });

  it('[MAN-14] prove an account without other factors once, also when the secrets were rotated after they were sent', async () => {
    const account = await before.createPerson();
    const owner = { accountId: account.id, sessionId: 'session' };
    await before.service(ProofCodes).send(owner, account, BY);
    const code = await findCode(account);
    let proofs = 0;
    const prove = async (): Promise<void> => void (proofs += 1);
    const verify = () => after.service(ProofCodes).verify(owner, code, { auditContext: BY, prove });
    expect([await verify(), await verify()]).toEqual([{ kind: 'proven' }, { kind: 'refused' }]);
    expect(proofs).toBe(1);
  });

  it('[MAN-14] prove nothing for an account with a second factor', async () => {
    const { account } = await before.createWithTotp();
    const owner = { accountId: account.id, sessionId: 'session' };
    await before.service(ProofCodes).send(owner, account, BY);
    let proofs = 0;
    const prove = async (): Promise<void> => void (proofs += 1);
    const code = await findCode(account);
    expect(code).toMatch(/^\d{6}$/);
    const verdict = await after.service(ProofCodes).verify(owner, code, { auditContext: BY, prove });
    expect([verdict, proofs]).toEqual([{ kind: 'refused' }, 0]);
  });

  it('are used after the account is locked, like everything that makes them invalid', async () => {
    const account = await createHolder();
    await before.service(EmailCodeFactor).beginProof({ account, boundTo: BOUND_TO }, BY);
    const code = await findCode(account);
    let resolveLocked = (): void => undefined;
    const isLocked = new Promise<void>((resolve) => {
      resolveLocked = resolve;
    });
    const verified = isLocked.then(() => verify(account, code));
    await test.database.transaction(async (trx) => {
      await lockAccount(account.id, trx);
      resolveLocked();
      // Waits until the proof waits for the account, or for the connection where there is only one.
      for (let look = 0, waiting = 0; look < 300 && waiting === 0; look++) {
        const locks = await sql<{ many: number }>`select count(*)::integer as many from pg_locks where not granted`.execute(trx);
        waiting = locks.rows[0]?.many ?? 0;
      }
      const free = await sql`
        select 1 from one_time_secret where account_id = ${account.id} and purpose = 'factor-proof:email-code'
        for update skip locked`.execute(trx);
      expect(free.rows).toHaveLength(1);
    });
    expect(await verified).toEqual({ kind: 'proven' });
  });
});
