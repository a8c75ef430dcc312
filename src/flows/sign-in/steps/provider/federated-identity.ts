/**
 * Signs in to the account of an identity that a provider has proven: records the use and continues with the next step (PRV-2, ACC-4).
 * Wrong passwords do not block this sign-in, because it cannot be guessed (docs/security.md D7); disabling the account does.
 */
import { Injectable } from '@nestjs/common';
import type { Account } from '../../../../accounts/account/account.js';
import { AuditLog } from '../../../../accounts/audit/audit-log.js';
import { ExternalIdentities, type ConnectedAccount, type Identity } from '../../../../accounts/identities/external-identities.js';
import { defined } from '../../../../config/defined.js';
import type { Outcome } from '../../../../gateway/page/outcome.js';
import { toPerson, type RequestContext } from '../../../../gateway/http/request-context.js';
import { PasswordProof } from '../../../../accounts/password/proof.js';
import { SourceAdmission } from '../../../../accounts/password/source-admission.js';
import type { ExternalIdentity, ProviderProfile } from '../../../../providers/identity-providers.port.js';
import { Dispatch } from '../../dispatch.js';
import type { SignIn } from '../../sign-in.js';
import { LoginScreens } from '../../login-screens.js';

/** An identity that a provider has proven. */
export type ProvenIdentity = Identity & Pick<ExternalIdentity, 'label' | 'authTime' | 'isProvenNow'>;

export interface FederatedSignIn {
  provider: ProviderProfile;
  identity: ProvenIdentity;
  remember: boolean;
  connectedAccount: ConnectedAccount;
}

interface RefusedIdentity {
  provider: ProviderProfile;
  /** For the audit log; the page only states that no account is connected. */
  reason: 'not connected' | 'ended';
  accountId?: string;
}

@Injectable()
export class FederatedIdentity {
  constructor(
    private readonly dispatch: Dispatch,
    private readonly identities: ExternalIdentities,
    private readonly passwords: PasswordProof,
    private readonly audit: AuditLog,
    private readonly screens: LoginScreens,
    private readonly sources: SourceAdmission,
  ) {}

  async signIn(
    signIn: SignIn,
    { provider, identity, remember, connectedAccount }: FederatedSignIn,
    context: RequestContext,
  ): Promise<Outcome> {
    const { challenge, request } = signIn;
    const { factors } = connectedAccount;
    const admission = await this.#admit(connectedAccount, context);
    if (admission.kind !== 'admitted') return this.screens.buildSourceProblemPage(admission, request, context);
    const { account, securityStamp } = admission;
    await this.#recordEvent('provider.ok', { accountId: account.id, detail: { provider: provider.id } }, context);
    await this.identities.markUsed(identity, { accountId: account.id, clientId: request.client.id });
    const statement = { id: provider.id, authTime: identity.authTime, isEarlierSession: !identity.isProvenNow };
    const proof = { account, factors, amr: ['fed'] as const, credential: { securityStamp }, provider: statement };
    const browser = { remember, isDeviceStored: false };
    const result = await this.dispatch.afterProof(signIn, { proof, browser }, context);
    if (result.kind === 'answer') return result.answer;
    switch (result.refusal) {
      case 'new-proof':
        return this.#askForNewProof(signIn, { provider, account }, context);
      case 'own-proof':
        return this.#askPassword(signIn, { provider, account }, context);
      case 'no-set-up':
        return this.screens.buildLoginScreen(request, context, {
          form: { username: account.username, password_here: 'true' },
          problem: { error: 'own-proof', provider: provider.name, request_id: context.requestId },
          status: 403,
        });
      case 'ended':
        return this.refuse(signIn, { provider, reason: 'ended', accountId: account.id }, context);
      default:
        return this.screens.buildRefusalPage(result.refusal, { challenge }, context);
    }
  }

  /** Queries the user source of the person, because the connected provider cannot tell whether the person has left that source. */
  async #admit(
    { account, securityStamp, linkedSource }: ConnectedAccount,
    context: RequestContext,
  ): ReturnType<SourceAdmission['admit']> {
    if (!linkedSource) return { kind: 'admitted', account, securityStamp };
    return this.sources.admit(linkedSource, { auditContext: toPerson(context), lookedUpAt: linkedSource.lookedUpAt });
  }

  /** A disabled account gets the same answer as an unknown identity without a verified address (LOG-7). */
  async refuse({ request }: SignIn, refusedIdentity: RefusedIdentity, context: RequestContext): Promise<Outcome> {
    const { provider } = refusedIdentity;
    await this.recordRefusal(refusedIdentity, context);
    return this.screens.buildLoginScreen(request, context, {
      problem: { error: 'credentials', provider: provider.name, request_id: context.requestId },
      status: 422,
    });
  }

  /** Records for operators that the identity alone did not sign the person in. */
  async recordRefusal({ provider, reason, accountId }: RefusedIdentity, context: RequestContext): Promise<void> {
    const event = { ...defined({ accountId }), detail: { provider: provider.id, reason } };
    await this.#recordEvent('provider.refused', event, context);
  }

  /** Asks for the password as a new proof. Without a password, the page asks the person to sign out at the provider and try again. */
  async #askForNewProof(
    { request }: SignIn,
    { provider, account }: { provider: ProviderProfile; account: Account },
    context: RequestContext,
  ): Promise<Outcome> {
    const { id: accountId, username } = account;
    await this.#recordEvent(
      'provider.refused',
      { accountId, detail: { provider: provider.id, reason: 'earlier session' } },
      context,
    );
    const hasPassword = await this.passwords.isSet(accountId);
    const error = hasPassword ? 'new-proof' : 'earlier-session';
    return this.screens.buildLoginScreen(request, context, {
      ...(hasPassword ? { form: { username, password_here: 'true' } } : {}),
      problem: { error, provider: provider.name },
      status: 403,
    });
  }

  /** Asks for the password. If the account has none, the request is refused. */
  async #askPassword(
    signIn: SignIn,
    { provider, account: { id, username } }: { provider: ProviderProfile; account: Account },
    context: RequestContext,
  ): Promise<Outcome> {
    if (!(await this.passwords.isSet(id))) {
      const result = await this.dispatch.refuse(signIn, context);
      return result.kind === 'answer'
        ? result.answer
        : this.screens.buildRefusalPage(result.refusal, { challenge: signIn.challenge }, context);
    }
    const problem = { error: 'own-proof', provider: provider.name } as const;
    return this.screens.buildLoginScreen(signIn.request, context, {
      form: { username, password_here: 'true' },
      problem,
      status: 403,
    });
  }

  async #recordEvent(
    kind: 'provider.ok' | 'provider.refused',
    event: { accountId?: string; detail: Record<string, string> },
    context: RequestContext,
  ): Promise<void> {
    await this.audit.record({ kind, ...toPerson(context), ...event });
  }
}
