/**
 * Signs in an account that a provider has proven: records it and continues with the next step (PRV-2, ACC-4). Failed
 * passwords do not block this way, because it cannot be guessed (docs/security.md D7); disabling the account does.
 */
import { Injectable } from '@nestjs/common';
import { AccountDisabled, OwnProofNeeded } from '../../accounts/account/account.errors.js';
import type { Account } from '../../accounts/account/account.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { ExternalIdentities, type ConnectedAccount, type Identity } from '../../accounts/identities/external-identities.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { personOf, type RequestContext } from '../../gateway/http/request-context.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { PasswordProof } from '../../accounts/password/proof.js';
import { SourceAdmission } from '../../accounts/password/source-admission.js';
import type { ExternalIdentity, ProviderProfile } from '../../providers/identity-providers.port.js';
import { FirstFactor, NewProofNeeded, PasswordNeeded } from '../sign-in/first-factor.js';
import { LoginScreens } from '../sign-in/login-screens.js';
import { refusedPage } from './refused.page.js';

/** What a provider said of a person. */
export type ProvenAtProvider = Identity & Pick<ExternalIdentity, 'label' | 'authTime' | 'isProvenNow'>;

export interface FederatedSignIn {
  provider: ProviderProfile;
  identity: ProvenAtProvider;
  remember: boolean;
  connected: ConnectedAccount;
}

interface Refusal {
  provider: ProviderProfile;
  /** For the audit log; the page only says that no account is connected. */
  reason: 'not connected' | 'ended';
  accountId?: string;
}

@Injectable()
export class FederatedIdentity {
  constructor(
    private readonly firstFactor: FirstFactor,
    private readonly identities: ExternalIdentities,
    private readonly passwords: PasswordProof,
    private readonly audit: AuditLog,
    private readonly screens: LoginScreens,
    private readonly sources: SourceAdmission,
  ) {}

  async signIn(
    request: LoginRequest,
    { provider, identity, remember, connected }: FederatedSignIn,
    context: RequestContext,
  ): Promise<Outcome> {
    const { factors } = connected;
    const admitted = await this.#admitted(connected, context);
    if (admitted.kind !== 'admitted') {
      const { options } = this.screens.values(request, context);
      const code = admitted.problem === 'unavailable' ? 'source_unavailable' : 'not_allowed';
      return refusedPage(code, { challenge: request.challenge, requestId: context.requestId, options });
    }
    const { account, securityStamp } = admitted;
    await this.#note('provider.ok', { accountId: account.id, detail: { provider: provider.id } }, context);
    await this.identities.markUsed(identity, { accountId: account.id, clientId: request.client.id });
    const at = { provider: provider.id, providerAuthTime: identity.authTime, isEarlierProof: !identity.isProvenNow };
    const proven = { account, amr: ['fed'] as const, remember, isKnownDevice: false, securityStamp, ...at };
    try {
      const outcome = await this.firstFactor.proven(request, { identity: proven, factors }, context);
      return outcome ?? this.screens.broken('used', { challenge: request.challenge }, context);
    } catch (error) {
      if (error instanceof NewProofNeeded) return this.#askAnew(request, { provider, account }, context);
      if (error instanceof PasswordNeeded) return this.#askPassword(request, { provider, account }, context);
      if (error instanceof OwnProofNeeded) {
        return this.screens.login(request, context, { problem: { error: 'own-proof', provider: provider.name }, status: 403 });
      }
      if (!(error instanceof AccountDisabled)) throw error;
      return this.refuse(request, { provider, reason: 'ended', accountId: account.id }, context);
    }
  }

  /** Whoever has left a source of people keeps the providers that they have connected, which do not know of it. */
  async #admitted(
    { account, securityStamp, ofSource }: ConnectedAccount,
    context: RequestContext,
  ): ReturnType<SourceAdmission['admit']> {
    if (!ofSource) return { kind: 'admitted', account, securityStamp };
    return this.sources.admit(ofSource, { by: personOf(context), lookedUpAt: ofSource.lookedUpAt });
  }

  /** LOG-7. A disabled account gets the same answer as an unknown identity. */
  async refuse(request: LoginRequest, { provider, reason, accountId }: Refusal, context: RequestContext): Promise<Outcome> {
    await this.#note(
      'provider.refused',
      { ...(accountId ? { accountId } : {}), detail: { provider: provider.id, reason } },
      context,
    );
    return this.screens.login(request, context, { problem: { error: 'credentials', provider: provider.name }, status: 422 });
  }

  /** The password is a new proof. Without one, only the provider could give one. */
  async #askAnew(
    request: LoginRequest,
    { provider, account }: { provider: ProviderProfile; account: Account },
    context: RequestContext,
  ): Promise<Outcome> {
    const { id: accountId, username } = account;
    await this.#note('provider.refused', { accountId, detail: { provider: provider.id, reason: 'earlier session' } }, context);
    const hasPassword = await this.passwords.isSet(accountId);
    const error = hasPassword ? 'new-proof' : 'earlier-session';
    return this.screens.login(request, context, {
      ...(hasPassword ? { form: { username } } : {}),
      problem: { error, provider: provider.name },
      status: 403,
    });
  }

  /** Where there is no password, the request cannot be met. */
  async #askPassword(
    request: LoginRequest,
    { provider, account: { id, username } }: { provider: ProviderProfile; account: Account },
    context: RequestContext,
  ): Promise<Outcome> {
    if (!(await this.passwords.isSet(id))) {
      const refused = await this.firstFactor.refuse(request, context);
      return refused ?? this.screens.broken('used', { challenge: request.challenge }, context);
    }
    const problem = { error: 'own-proof', provider: provider.name } as const;
    return this.screens.login(request, context, { form: { username }, problem, status: 403 });
  }

  async #note(
    kind: 'provider.ok' | 'provider.refused',
    event: { accountId?: string; detail: Record<string, string> },
    context: RequestContext,
  ): Promise<void> {
    await this.audit.record({ kind, ...personOf(context), ...event });
  }
}
