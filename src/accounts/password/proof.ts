/** The password as a fresh proof of a signed-in person, limited and counted like a sign-in. */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import type { Account } from '../account/account.js';
import { PasswordSignIn } from './sign-in.js';
import type { PasswordAttempt, PasswordVerdict } from './sign-in.js';

export type ProofVerdict =
  Pick<Extract<PasswordVerdict, { kind: 'proven' }>, 'kind' | 'passwordVersion'> | Exclude<PasswordVerdict, { kind: 'proven' }>;

const IS_SET = new Statement<{ account: string }, unknown>(
  'password-proof.is-set',
  ({ param }) => sql`select from password_credential where account_id = ${param('account')}`,
);

@Injectable()
export class PasswordProof {
  constructor(
    private readonly database: Database,
    private readonly passwords: PasswordSignIn,
  ) {}

  async isSet(accountId: string): Promise<boolean> {
    return (await this.database.run(IS_SET, { account: accountId })).length > 0;
  }

  async verify({ id, username }: Account, attempt: Omit<PasswordAttempt, 'username'>): Promise<ProofVerdict> {
    const verdict = await this.passwords.prove({ ...attempt, username });
    if (verdict.kind !== 'proven') return verdict;
    // The name may belong to another account since this account was read.
    if (verdict.account.id !== id) return { kind: 'refused' };
    return { kind: 'proven', passwordVersion: verdict.passwordVersion };
  }
}
