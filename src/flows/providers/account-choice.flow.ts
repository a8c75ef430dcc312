/**
 * Which of several accounts (ACC-1 … 4). What may be chosen is kept under a token that works once, in this browser and for
 * this request; what is chosen is looked at anew.
 */
import { Injectable } from '@nestjs/common';
import { ExternalIdentities } from '../../accounts/identities/external-identities.js';
import type { ConnectedAccount, Identity } from '../../accounts/identities/external-identities.js';
import { OneTimeSecrets } from '../../accounts/secrets/one-time-secrets.js';
import { Fault } from '../../gateway/http/faults.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import type { Visit } from '../../gateway/http/request-context.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { SameForms } from '../../mfa/verification/same-forms.js';
import type { ProviderProfile } from '../../providers/identity-providers.port.js';
import { SignOn } from '../sign-in/sign-in.js';
import { challengeFault } from '../sign-in/waiting-request.js';
import { LoginScreens } from '../login/screens.js';
import type { ChoiceForm } from './provider.form.js';
import { FederatedIdentity } from './federated-identity.js';

export interface Offer {
  provider: ProviderProfile;
  identity: Identity & { label: string | null };
  remember: boolean;
  connected: readonly ConnectedAccount[];
}

/** What is kept while somebody chooses. */
interface KeptOffer {
  identity: Identity & { label: string | null };
  remember: boolean;
  /** How each of them stood: one whose access ended since is not there any more. */
  standings: Readonly<Record<string, string>>;
}

const CHOICE_SECONDS = 600;

@Injectable()
export class AccountChoice {
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly hydra: HydraPort,
    private readonly signOn: SignOn,
    private readonly secrets: OneTimeSecrets,
    private readonly identities: ExternalIdentities,
    private readonly federated: FederatedIdentity,
    private readonly screens: LoginScreens,
  ) {}

  async offer(request: LoginRequest, { provider, identity, remember, connected }: Offer, visit: Visit): Promise<Outcome> {
    const { issuer, subject, label } = identity;
    const standings = Object.fromEntries(connected.map(({ account, standing }) => [account.id, standing]));
    const token = await this.secrets.issue({
      purpose: 'account-choice',
      boundTo: placeOf(provider, request.challenge, visit),
      payload: JSON.stringify({ identity: { issuer, subject, label }, remember, standings } satisfies KeptOffer),
      lifetimeSeconds: CHOICE_SECONDS,
    });
    return this.screens.accounts(request, { provider, token, accounts: connected.map(({ account }) => account) }, visit);
  }

  choose(provider: ProviderProfile, form: ChoiceForm, visit: Visit): Promise<Outcome> {
    const { login_challenge: challenge, token = '', username = '' } = form;
    return this.#sameForms.once([visit.browser, visit.form ?? '', challenge, token, username], () =>
      this.#choose(provider, form, visit),
    );
  }

  async #choose(provider: ProviderProfile, form: ChoiceForm, visit: Visit): Promise<Outcome> {
    const { login_challenge: challenge, token = '', username: chosen = '', ticket } = form;
    const posted = { challenge, ticket };
    if (challenge === '') return this.screens.broken('missing', posted, visit);
    const request = await this.hydra.getLogin(challenge).catch(challengeFault);
    if (typeof request === 'string') return this.screens.broken(request, posted, visit);
    const claim = await this.signOn.claim(challenge, visit);
    if (claim.state === 'done' || claim.state === 'stepped') {
      const fault = claim.state === 'done' ? 'used' : 'foreign';
      return this.signOn.repeat(claim.result, visit) ?? this.screens.broken(fault, posted, visit);
    }
    if (claim.state === 'foreign') return this.screens.broken('foreign', posted, visit);
    const kept = await this.#consume(token, placeOf(provider, challenge, visit));
    if (!kept) {
      return this.screens.login(request, visit, { problem: { error: 'provider-refused', provider: provider.name }, status: 422 });
    }
    return this.#signIn(request, { provider, kept, chosen }, visit);
  }

  async #signIn(
    request: LoginRequest,
    { provider, kept, chosen }: { provider: ProviderProfile; kept: KeptOffer; chosen: string },
    visit: Visit,
  ): Promise<Outcome> {
    const { identity, remember, standings } = kept;
    if (!Object.hasOwn(standings, chosen)) throw new Fault('forbidden', 'An account that was not offered');
    const accounts = await this.identities.accountsOf(identity, request.client.id);
    const connected = accounts.find(({ account, standing }) => account.id === chosen && standing === standings[chosen]);
    if (!connected) return this.federated.refuse(request, { provider, reason: 'ended', accountId: chosen }, visit);
    return this.federated.signIn(request, { provider, identity, remember, connected }, visit);
  }

  async #consume(token: string, place: string): Promise<KeptOffer | null> {
    const taken = await this.secrets.consume('account-choice', token, place);
    return taken?.payload ? (JSON.parse(taken.payload) as KeptOffer) : null;
  }
}

function placeOf({ id }: ProviderProfile, challenge: string, { browser }: Visit): string {
  return [id, browser, challenge].join('\n');
}
