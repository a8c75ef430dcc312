/** Verifies the password as a fresh proof of a signed-in person, with the same limits and counters as a sign-in. */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import { UserSources } from '../../sources/user-sources.js';
import { isNeverAsked } from '../identities/source-accounts.js';
import type { Account } from '../account/account.js';
import { PasswordAttempts, type PasswordAttempt, type PasswordVerdict } from './password-attempts.js';

export type ProofVerdict =
  | Pick<Extract<PasswordVerdict, { kind: 'proven' }>, 'kind' | 'passwordVersion'>
  | Exclude<PasswordVerdict, { kind: 'proven' }>;

/**
 * Where the password of an account is stored: here, at a source, or nowhere (null). For an account of a provider, Foyer does not know
 * whether there is a password.
 */
export type PasswordLocation =
  | { at: 'here' }
  | { at: 'provider'; issuer: string }
  | { at: 'source'; changeUrl: string | undefined }
  | null;

const FIND_LOCATION = new Statement<{ account: string }, { source: string | null; here: boolean }>(
  'password-proof.location',
  ({ param }) => sql`
    select (select source from source_account where account_id = ${param('account')}) as source,
      exists (select from password_credential where account_id = ${param('account')}) as here`,
);

@Injectable()
export class PasswordProof {
  constructor(
    private readonly database: Database,
    private readonly passwords: PasswordAttempts,
    private readonly sources: UserSources,
  ) {}

  /** Whether the account has a password that can be verified, here or at a source. */
  async isSet(accountId: string): Promise<boolean> {
    const location = await this.findLocation(accountId);
    return location !== null && location.at !== 'provider';
  }

  async findLocation(accountId: string): Promise<PasswordLocation> {
    const [row] = await this.database.run(FIND_LOCATION, { account: accountId });
    if (row && row.source !== null && isNeverAsked(row.source)) return { at: 'provider', issuer: row.source };
    if (row && row.source !== null) return { at: 'source', changeUrl: this.sources.find(row.source)?.passwordUrl };
    return row?.here ? { at: 'here' } : null;
  }

  async verify({ id, username }: Account, attempt: Omit<PasswordAttempt, 'username'>): Promise<ProofVerdict> {
    const verdict = await this.passwords.prove({ ...attempt, username });
    if (verdict.kind !== 'proven') return verdict;
    // The name may belong to another account by now.
    if (verdict.account.id !== id) return { kind: 'refused' };
    return { kind: 'proven', passwordVersion: verdict.passwordVersion };
  }
}
