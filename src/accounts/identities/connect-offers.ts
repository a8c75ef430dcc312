/**
 * Offers to connect an identity with the account that has its address: the provider has verified the address, but only a proof of the
 * account connects the identity. An offer belongs to one login request and works once.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import { CredentialsFrozen } from '../account/credential-freeze.js';
import { toTypedEmailKey } from '../account/verified-addresses.js';
import type { AuditContext } from '../audit/audit-log.js';
import { OneTimeSecrets } from '../secrets/one-time-secrets.js';
import { ExternalIdentities, type NewConnection } from './external-identities.js';

/** The identity that waits for a proof of the account. */
type OfferedIdentity = Pick<NewConnection, 'provider' | 'providerName' | 'identity'>;

export interface ConnectOffer {
  secret: string;
  challenge: string;
}

/** Enough time for a second factor after the password. */
const OFFER_SECONDS = 1200;

/**
 * The person must be able to prove the account without the provider. If two accounts have verified the address, it is unknown which
 * one is meant.
 */
const FIND = new Statement<Record<'email' | 'provider', string>, { id: string; usable: boolean }>(
  'connect-offer.account',
  ({ param }) => sql`
    select a.id, a.status = 'active'
      and not exists (select from external_identity e where e.account_id = a.id and e.provider = ${param('provider')})
      and (exists (select from password_credential p where p.account_id = a.id)
        or exists (select from source_account s where s.account_id = a.id and position(':' in s.source) = 0)
        or exists (select from passkey k where k.account_id = a.id)) as usable
    from account a where a.email_key = ${param('email')} and a.email_verified
    limit 2`,
);

@Injectable()
export class ConnectOffers {
  constructor(
    private readonly database: Database,
    private readonly secrets: OneTimeSecrets,
    private readonly identities: ExternalIdentities,
  ) {}

  /**
   * @param email address that the provider has verified
   * @returns the secret of the offer; null if no account with this address can be proven without the provider
   */
  async make(identity: OfferedIdentity, email: string, challenge: string): Promise<string | null> {
    const key = toTypedEmailKey(email);
    if (key === null) return null;
    const [account, ...otherAccounts] = await this.database.run(FIND, { email: key, provider: identity.provider });
    if (!account?.usable || otherAccounts.length > 0) return null;
    return this.secrets.issue({
      purpose: 'connect-offer',
      accountId: account.id,
      boundTo: challenge,
      payload: JSON.stringify(identity),
      lifetimeSeconds: OFFER_SECONDS,
    });
  }

  /** Connects the identity, because the account was proven in the same login request. Does nothing for another account. */
  async accept({ secret, challenge }: ConnectOffer, accountId: string, by: AuditContext): Promise<void> {
    const offer = await this.secrets.consume('connect-offer', secret, challenge);
    if (!offer?.payload || offer.accountId !== accountId) return;
    const identity = JSON.parse(offer.payload) as OfferedIdentity;
    try {
      await this.identities.connect({ ...identity, accountId, by });
    } catch (error) {
      // After "that was not me" nothing is connected, but the sign-in continues.
      if (!(error instanceof CredentialsFrozen)) throw error;
    }
  }
}
