/**
 * Verifies the password as a fresh proof of a signed-in person, with the same limits and counters as a sign-in. Also finds where
 * the password of an account is stored.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import { UserSources } from '../../sources/user-sources.js';
import { findScimSettings, hasPasswordHere, isNeverQueried, isProvider } from '../../config/stored-sources.js';
import type { Account } from '../account/account.js';
import { PasswordAttempts, type PasswordAttempt, type PasswordVerdict } from './password-attempts.js';

export type ProofVerdict =
  | Pick<Extract<PasswordVerdict, { kind: 'proven' }>, 'kind' | 'passwordVersion'>
  | Exclude<PasswordVerdict, { kind: 'proven' }>;

/**
 * Where the password of an account is stored: in Foyer (`here`), at a source, or nowhere (null). For an account of a provider, or of a SCIM source
 * whose people have no password in Foyer (`elsewhere`), Foyer does not know whether there is a password.
 */
export type PasswordLocation =
  | { at: 'here' }
  | { at: 'provider'; issuer: string }
  | { at: 'source' | 'elsewhere'; changeUrl: string | undefined }
  | null;

export interface LocatedPassword {
  location: PasswordLocation;
  /** Whether a source or provider manages the account, so that its username and address are changed there. */
  isManagedElsewhere: boolean;
}

const FIND_LOCATION = new Statement<{ account: string }, { source: string | null; is_here: boolean }>(
  'password-proof.location',
  ({ param }) => sql`
    select (select source from source_account where account_id = ${param('account')}) as source,
      exists (select from password_credential where account_id = ${param('account')}) as is_here`,
);

@Injectable()
export class PasswordProof {
  constructor(
    private readonly database: Database,
    private readonly passwords: PasswordAttempts,
    private readonly sources: UserSources,
    @Inject(CONFIG) private readonly config: Pick<Config, 'scim'>,
  ) {}

  /** Whether the account has a password that can be verified, in Foyer or at a source. */
  async isSet(accountId: string): Promise<boolean> {
    const location = await this.findLocation(accountId);
    return location?.at === 'here' || location?.at === 'source';
  }

  async findLocation(accountId: string): Promise<PasswordLocation> {
    return (await this.locate(accountId)).location;
  }

  async locate(accountId: string): Promise<LocatedPassword> {
    const [row] = await this.database.run(FIND_LOCATION, { account: accountId });
    const { source = null, is_here: isHere = false } = row ?? {};
    return { location: this.#toLocation(source, isHere), isManagedElsewhere: source !== null };
  }

  #toLocation(source: string | null, isHere: boolean): PasswordLocation {
    if (source === null || hasPasswordHere(source, this.config)) return isHere ? { at: 'here' } : null;
    if (isProvider(source)) return { at: 'provider', issuer: source };
    if (isNeverQueried(source)) return { at: 'elsewhere', changeUrl: findScimSettings(source, this.config)?.passwordUrl };
    return { at: 'source', changeUrl: this.sources.find(source)?.passwordUrl };
  }

  async verify({ id, username }: Account, attempt: Omit<PasswordAttempt, 'username'>): Promise<ProofVerdict> {
    const verdict = await this.passwords.prove({ ...attempt, username });
    if (verdict.kind !== 'proven') return verdict;
    // The name may belong to another account now.
    if (verdict.account.id !== id) return { kind: 'refused' };
    return { kind: 'proven', passwordVersion: verdict.passwordVersion };
  }
}
