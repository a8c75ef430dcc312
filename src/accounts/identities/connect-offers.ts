/**
 * Offers to connect an identity with the account that has its address: the provider has verified the address, but only a proof of the
 * account connects the identity. The account is looked up after its proof, so that nobody who makes up addresses at a provider learns which
 * of them have an account. An offer belongs to one login request and works once.
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
export interface OfferedIdentity extends Pick<NewConnection, 'provider' | 'providerName' | 'identity'> {
  /** The address that the provider has verified. */
  email: string;
}

export interface ConnectOffer {
  secret: string;
  challenge: string;
}

/** Enough time for a second factor after the password. */
const OFFER_SECONDS = 1200;

/** If two accounts have verified the address, it is unknown which one is meant. */
const FIND = new Statement<Record<'email' | 'provider', string>, { id: string; connected: boolean }>(
  'connect-offer.account',
  ({ param }) => sql`
    select a.id, exists (
        select from external_identity e where e.account_id = a.id and e.provider = ${param('provider')}) as connected
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

  /** @returns the secret of the offer; null for a text that is not an address */
  async make(identity: OfferedIdentity, challenge: string): Promise<string | null> {
    if (toTypedEmailKey(identity.email) === null) return null;
    return this.secrets.issue({
      purpose: 'connect-offer',
      boundTo: challenge,
      payload: JSON.stringify(identity),
      lifetimeSeconds: OFFER_SECONDS,
    });
  }

  /**
   * Connects the identity, because the account was proven in the same login request. Does nothing if the offer is unknown, used,
   * expired or of another login request, if the account has not verified the address or a second account has verified it too, if
   * the account has an identity of the provider, and while its credentials are frozen.
   */
  async accept({ secret, challenge }: ConnectOffer, accountId: string, auditContext: AuditContext): Promise<void> {
    const offer = await this.secrets.consume('connect-offer', secret, challenge);
    if (!offer?.payload) return;
    const { email, ...identity } = JSON.parse(offer.payload) as OfferedIdentity;
    const values = { email: toTypedEmailKey(email) ?? '', provider: identity.provider };
    const [account, ...otherAccounts] = await this.database.run(FIND, values);
    if (account?.id !== accountId || account.connected || otherAccounts.length > 0) return;
    try {
      await this.identities.connect({ ...identity, accountId, auditContext });
    } catch (error) {
      // After "that was not me" nothing is connected, but the sign-in continues.
      if (!(error instanceof CredentialsFrozen)) throw error;
    }
  }
}
