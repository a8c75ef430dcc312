/**
 * Lets the person select one of several connected accounts (ACC-1 to ACC-4). The offered accounts are stored under a single-use token,
 * bound to this provider, browser and request; the selected account is checked again.
 */
import { Injectable } from '@nestjs/common';
import { ExternalIdentities, type ConnectedAccount } from '../../../../accounts/identities/external-identities.js';
import { OneTimeSecrets } from '../../../../accounts/secrets/one-time-secrets.js';
import { Fault } from '../../../../gateway/http/faults.js';
import type { Outcome } from '../../../../gateway/page/outcome.js';
import type { RequestContext } from '../../../../gateway/http/request-context.js';
import type { LoginRequest } from '../../../../hydra/hydra.port.js';
import { SameForms } from '../../../../gateway/page/same-forms.js';
import type { ProviderProfile } from '../../../../providers/identity-providers.port.js';
import { bindAnswer } from '../../answers.js';
import { SignIns, type SignIn } from '../../sign-in.js';
import { LoginScreens } from '../../login-screens.js';
import { buildAccountsPage } from './accounts.page.js';
import type { ChoiceForm } from './provider.form.js';
import { FederatedIdentity, type ProvenIdentity } from './federated-identity.js';

export interface Offer {
  provider: ProviderProfile;
  identity: ProvenIdentity;
  remember: boolean;
  connectedAccounts: readonly ConnectedAccount[];
}

/** Offers that version 0.1 stored contain neither the time of authentication nor `isProvenNow`. */
type StoredIdentity = Omit<ProvenIdentity, 'authTime' | 'isProvenNow'> & { authTime?: string | null; isProvenNow?: boolean };

/** The content that is stored while the page is shown. */
interface StoredOffer {
  identity: StoredIdentity;
  remember: boolean;
  /** Security stamps when the page was shown; an account whose access has ended since cannot be selected. */
  securityStamps: Readonly<Record<string, string>>;
}

const CHOICE_SECONDS = 600;

@Injectable()
export class AccountChoice {
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly signIns: SignIns,
    private readonly secrets: OneTimeSecrets,
    private readonly identities: ExternalIdentities,
    private readonly federatedIdentity: FederatedIdentity,
    private readonly screens: LoginScreens,
  ) {}

  async offer(
    request: LoginRequest,
    { provider, identity, remember, connectedAccounts }: Offer,
    context: RequestContext,
  ): Promise<Outcome> {
    const securityStamps = Object.fromEntries(connectedAccounts.map(({ account, securityStamp }) => [account.id, securityStamp]));
    const token = await this.secrets.issue({
      purpose: 'account-choice',
      boundTo: toBinding(provider, request.challenge, context),
      payload: JSON.stringify({ identity: toStoredIdentity(identity), remember, securityStamps } satisfies StoredOffer),
      lifetimeSeconds: CHOICE_SECONDS,
    });
    const accounts = connectedAccounts.map(({ account }) => account);
    return buildAccountsPage({
      provider,
      token,
      accounts,
      challenge: request.challenge,
      ...this.screens.buildCommonValues(request, context),
    });
  }

  choose(provider: ProviderProfile, form: ChoiceForm, requestContext: RequestContext): Promise<Outcome> {
    const { login_challenge: challenge, token = '', username = '' } = form;
    const context = bindAnswer(requestContext, username);
    return this.#sameForms.runOnce([context.browser, context.xsrf ?? '', challenge, token, username], () =>
      this.#choose(provider, form, context),
    );
  }

  async #choose(provider: ProviderProfile, form: ChoiceForm, context: RequestContext): Promise<Outcome> {
    const { login_challenge: challenge, token = '', username: accountId = '', ticket } = form;
    const foundSignIn = await this.signIns.resumeAtHydra(challenge, context);
    if (foundSignIn.kind !== 'open') return this.screens.answerFoundSignIn(foundSignIn, { challenge, ticket }, context);
    const { signIn } = foundSignIn;
    const storedOffer = await this.#consume(token, toBinding(provider, challenge, context));
    if (!storedOffer) {
      return this.screens.buildLoginScreen(signIn.request, context, {
        problem: { error: 'provider-refused', provider: provider.name },
        status: 422,
      });
    }
    return this.#signIn(signIn, { provider, storedOffer, accountId }, context);
  }

  async #signIn(
    signIn: SignIn,
    { provider, storedOffer, accountId }: { provider: ProviderProfile; storedOffer: StoredOffer; accountId: string },
    context: RequestContext,
  ): Promise<Outcome> {
    const { identity, remember, securityStamps } = storedOffer;
    if (!Object.hasOwn(securityStamps, accountId)) throw new Fault('forbidden', 'The selected account was not offered');
    const accounts = await this.identities.findAccounts(identity, signIn.request.client.id);
    const connectedAccount = accounts.find(
      ({ account, securityStamp }) => account.id === accountId && securityStamp === securityStamps[accountId],
    );
    if (!connectedAccount) return this.federatedIdentity.refuse(signIn, { provider, reason: 'ended', accountId }, context);
    const { authTime = null, isProvenNow = false } = identity;
    const provenIdentity = { ...identity, authTime: authTime === null ? null : new Date(authTime), isProvenNow };
    return this.federatedIdentity.signIn(signIn, { provider, identity: provenIdentity, remember, connectedAccount }, context);
  }

  async #consume(token: string, binding: string): Promise<StoredOffer | null> {
    const secret = await this.secrets.consume('account-choice', token, binding);
    return secret?.payload ? (JSON.parse(secret.payload) as StoredOffer) : null;
  }
}

function toStoredIdentity({ issuer, subject, label, authTime, isProvenNow }: ProvenIdentity): StoredIdentity {
  return { issuer, subject, label, authTime: authTime?.toISOString() ?? null, isProvenNow };
}

function toBinding({ id }: ProviderProfile, challenge: string, { browser }: RequestContext): string {
  return [id, browser, challenge].join('\n');
}
