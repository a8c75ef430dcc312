/** Connects people of SCIM sources at their first sign-in at a provider. A sign-in at such a provider never creates an account. */
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../../accounts/audit/audit-log.js';
import { ScimIdentities } from '../../../../accounts/scim/scim-identities.js';
import type { ProviderRefusal } from '../../../../contract/page-state.js';
import { toPerson, type RequestContext } from '../../../../gateway/http/request-context.js';
import { IdentityProviders, type ExternalIdentity } from '../../../../providers/identity-providers.port.js';

@Injectable()
export class ScimPeople {
  constructor(
    private readonly scim: ScimIdentities,
    private readonly providers: IdentityProviders,
    private readonly audit: AuditLog,
  ) {}

  /** Whether people of a SCIM source sign in at this provider. */
  usesProvider(provider: string): boolean {
    return this.scim.usesProvider(provider);
  }

  /**
   * Connects an identity that is not connected to an account. A disabled account gets the same answer as an unknown identity
   * (LOG-7).
   * @returns `connected`; or `unknown` if no account matches the identity, or the account is disabled or its credentials are
   * frozen; or why the person may not sign in
   */
  async connect(identity: ExternalIdentity, context: RequestContext): Promise<'connected' | 'unknown' | ProviderRefusal> {
    const { provider, issuer } = identity;
    // At a provider with several issuers, such as Entra ID with its tenants, a user of another tenant could have the same claims as the
    // person.
    if (this.providers.findIssuer(provider) !== issuer) return 'unknown';
    const providerName = this.providers.find(provider)?.name ?? provider;
    const match = await this.scim.connect({ ...identity, providerName }, toPerson(context));
    if (match.kind !== 'refused') return match.kind;
    const { reason, accountId } = match;
    await this.audit.record({ ...toPerson(context), kind: 'provider.refused', accountId, detail: { provider, reason } });
    return reason === 'operator' || reason === 'other' ? 'not_admitted' : 'unknown';
  }
}
