/**
 * Signs in with a proven identity: no account, one account, or several to choose from (PRV-2). An identity is (issuer,
 * subject); no other claim identifies an account (PRV-3), except at the first sign-in of a person of a SCIM source (`scim-people.ts`).
 * `Dispatch` decides the next step.
 */
import { Injectable } from '@nestjs/common';
import { ConnectOffers } from '../../../../accounts/identities/connect-offers.js';
import type { ProviderProblem, ProviderPurpose } from '../../../../accounts/secrets/provider-transactions.js';
import { defined } from '../../../../config/defined.js';
import type { ProviderRefusal } from '../../../../contract/page-state.js';
import type { Outcome } from '../../../../gateway/page/outcome.js';
import type { RequestContext } from '../../../../gateway/http/request-context.js';
import type { ExternalIdentity, ProviderProfile } from '../../../../providers/identity-providers.port.js';
import { SignIns, type SignIn } from '../../sign-in.js';
import type { LoginProblem } from '../../login.page.js';
import { LoginScreens } from '../../login-screens.js';
import { AccountChoice } from './account-choice.flow.js';
import { FederatedIdentity } from './federated-identity.js';
import { ProvidedAccounts } from './provided-accounts.js';
import type { CallbackVerdict } from './callback-verification.js';

export interface SignInCallback {
  provider: ProviderProfile;
  purpose: Extract<ProviderPurpose, { kind: 'sign-in' }>;
  /** Asks the provider who the person is. */
  prove: () => Promise<CallbackVerdict>;
}

interface FailedProof {
  problem: LoginProblem['error'];
  status: number;
}

const FAILURES: Record<Exclude<CallbackVerdict['kind'], 'proven'>, FailedProof> = {
  cancelled: { problem: 'cancelled', status: 200 },
  refused: { problem: 'provider-refused', status: 422 },
  unavailable: { problem: 'provider-down', status: 503 },
};

/** The login page asks for the password, even if the address that is typed belongs to a provider. */
const OWN_FORM = { password_here: 'true' } as const;
/** The problems whose page asks for the password. */
const PASSWORD_PROBLEMS: readonly LoginProblem['error'][] = ['connect', 'own-proof', 'new-proof'];

@Injectable()
export class ProviderSignIn {
  constructor(
    private readonly signIns: SignIns,
    private readonly accounts: ProvidedAccounts,
    private readonly federatedIdentity: FederatedIdentity,
    private readonly choice: AccountChoice,
    private readonly offers: ConnectOffers,
    private readonly screens: LoginScreens,
  ) {}

  async finish({ provider, purpose, prove }: SignInCallback, context: RequestContext): Promise<Outcome> {
    const { challenge, remember } = purpose;
    const foundSignIn = await this.signIns.resumeAtHydra(challenge, context);
    if (foundSignIn.kind !== 'open') return this.screens.answerFoundSignIn(foundSignIn, { challenge }, context);
    const { signIn } = foundSignIn;
    const verdict = await prove();
    if (verdict.kind !== 'proven') {
      const { problem: error, status } = FAILURES[verdict.kind];
      return this.screens.buildLoginScreen(signIn.request, context, { problem: { error, provider: provider.name }, status });
    }
    return this.#signIn(signIn, { provider, identity: verdict.identity, remember }, context);
  }

  /** Shows the same page after a reload, without asking the provider again. */
  async repeat({ challenge, error, provider, status, offer }: ProviderProblem, context: RequestContext): Promise<Outcome> {
    const request = await this.signIns.askHydra(challenge);
    if (typeof request === 'string') return this.screens.buildFaultPage(request, { challenge }, context);
    if (provider === null) return this.screens.buildPersonRefusalPage({ code: error as ProviderRefusal }, request, context);
    const problem = { error: error as LoginProblem['error'], provider };
    return this.screens.buildLoginScreen(request, context, {
      problem,
      status,
      ...(PASSWORD_PROBLEMS.includes(problem.error) ? { form: { ...OWN_FORM, ...defined({ connect_offer: offer }) } } : {}),
    });
  }

  async #signIn(
    signIn: SignIn,
    provenIdentity: { provider: ProviderProfile; identity: ExternalIdentity; remember: boolean },
    context: RequestContext,
  ): Promise<Outcome> {
    const { provider, identity, remember } = provenIdentity;
    const connectedAccounts = await this.accounts.find(identity, signIn.request.client.id, context);
    if (typeof connectedAccounts === 'string')
      return this.screens.buildPersonRefusalPage({ code: connectedAccounts }, signIn.request, context);
    const [firstAccount, ...otherAccounts] = connectedAccounts;
    if (!firstAccount) return this.#offerOrRefuse(signIn, { provider, identity }, context);
    if (otherAccounts.length > 0)
      return this.choice.offer(signIn.request, { provider, identity, remember, connectedAccounts }, context);
    return this.federatedIdentity.signIn(signIn, { provider, identity, remember, connectedAccount: firstAccount }, context);
  }

  /**
   * Offers to connect the identity to the account with its verified address, after a proof of that account; an identity without
   * such an address is refused. The offer is the same whether or not the account exists: otherwise whoever runs a provider, or has
   * an address there, would learn which addresses have an account.
   */
  async #offerOrRefuse(
    signIn: SignIn,
    { provider, identity }: { provider: ProviderProfile; identity: ExternalIdentity },
    context: RequestContext,
  ): Promise<Outcome> {
    const { issuer, subject, label, verifiedEmail: email } = identity;
    const offer = { provider: provider.id, providerName: provider.name, identity: { issuer, subject, label } };
    const secret = email === undefined ? null : await this.offers.make({ ...offer, email }, signIn.challenge);
    if (secret === null) return this.federatedIdentity.refuse(signIn, { provider, reason: 'not connected' }, context);
    await this.federatedIdentity.recordRefusal({ provider, reason: 'not connected' }, context);
    return this.screens.buildLoginScreen(signIn.request, context, {
      form: { ...OWN_FORM, connect_offer: `${provider.id}.${secret}` },
      problem: { error: 'connect', provider: provider.name },
      status: 200,
    });
  }
}
