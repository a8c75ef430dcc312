/**
 * Finds the accounts that a proven identity signs in to. If the provider creates accounts, the first sign-in of a person creates
 * one, and later sign-ins update it with the claims of the provider. Only people who meet the provider's conditions may sign in. A
 * person of a SCIM source already has an account, which is connected at the first sign-in.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { AuditLog } from '../../../../accounts/audit/audit-log.js';
import { ExternalIdentities, type ConnectedAccount } from '../../../../accounts/identities/external-identities.js';
import { SourceAccounts, type ProvenAccount, type NoAccount } from '../../../../accounts/identities/source-accounts.js';
import { LOG } from '../../../../config/log.token.js';
import type { ProviderRefusal } from '../../../../contract/page-state.js';
import { toPerson, type RequestContext } from '../../../../gateway/http/request-context.js';
import { RevocationRunner } from '../../../../hydra/revocation-runner.js';
import type { ExternalIdentity } from '../../../../providers/identity-providers.port.js';
import { ScimPeople } from './scim-people.js';

@Injectable()
export class ProvidedAccounts {
  constructor(
    private readonly identities: ExternalIdentities,
    private readonly people: SourceAccounts,
    private readonly scim: ScimPeople,
    private readonly revocations: RevocationRunner,
    private readonly audit: AuditLog,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** @returns active accounts, if any, the account last used with this client first; or why the person may not sign in */
  async find(
    identity: ExternalIdentity,
    clientId: string,
    context: RequestContext,
  ): Promise<ConnectedAccount[] | ProviderRefusal> {
    if (!identity.isAdmitted) return this.#refuse(identity, context);
    const { issuer: source, provider, label, person } = identity;
    const entry = person && { source, person, auditContext: toPerson(context), identity: { provider, label } };
    const knownAccount = entry && (await this.people.updateKnown(entry));
    const connectedAccounts = await this.#findConnected(identity, clientId, knownAccount);
    // A connected account that does not come from this provider is not changed.
    if (knownAccount || connectedAccounts.length > 0) return connectedAccounts;
    if (this.scim.usesProvider(provider)) {
      const outcome = await this.scim.connect(identity, context);
      if (outcome === 'connected') return this.#findConnected(identity, clientId);
      return outcome === 'unknown' ? [] : outcome;
    }
    if (!entry) return connectedAccounts;
    const result = await this.people.createNew(entry);
    return 'reason' in result ? this.#refuseNew(identity, result, context) : this.#findConnected(identity, clientId, result);
  }

  /** @param provenAccount the account that comes from the provider, if there is one */
  async #findConnected(
    identity: ExternalIdentity,
    clientId: string,
    provenAccount?: ProvenAccount | null,
  ): Promise<ConnectedAccount[]> {
    const connectedAccounts = await this.identities.findAccounts(identity, clientId);
    // After "that was not me", the person at the provider may not be the owner of the account.
    return provenAccount?.isFrozen
      ? connectedAccounts.filter(({ account }) => account.id !== provenAccount.account.id)
      : connectedAccounts;
  }

  async #refuseNew(
    { provider, subject }: ExternalIdentity,
    { reason, isTemporary }: NoAccount,
    context: RequestContext,
  ): Promise<ProviderRefusal> {
    this.log.warn({ provider, subject, reason }, 'an account could not be created for a person of a provider');
    const detail = { provider, subject, reason: 'no account', fault: reason };
    await this.audit.record({ ...toPerson(context), kind: 'provider.refused', detail });
    return isTemporary ? 'source_unavailable' : 'no_account';
  }

  /** Also ends the sessions of the account, because only the provider reports that a person has left. */
  async #refuse(identity: ExternalIdentity, context: RequestContext): Promise<ProviderRefusal> {
    const { issuer: source, subject, provider, unmetRequirements } = identity;
    this.log.warn({ provider, subject, unmet: unmetRequirements }, 'a person does not meet the conditions of the provider');
    const auditContext = toPerson(context);
    const accountId = await this.people.endAccess({ source, subject }, auditContext);
    const endedAccount = accountId === null ? {} : { accountId };
    await this.audit.record({
      ...auditContext,
      kind: 'provider.refused',
      ...endedAccount,
      detail: { provider, subject, reason: 'not admitted' },
    });
    if (accountId !== null) await this.revocations.settle(accountId, context.requestId);
    return 'not_admitted';
  }
}
