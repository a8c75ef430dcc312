/**
 * After a first factor: accepts the login, or continues with a second factor. In that case the browser gets a new id,
 * so that an id that was planted or seen is worthless after the password.
 */
import { Inject, Injectable } from '@nestjs/common';
import { accountState } from '../../accounts/account/account-state.js';
import { BrowserSessions, type NewBrowserSession } from '../../accounts/sessions/browser-sessions.js';
import {
  PendingAuthentications,
  type PendingContext,
  type WantedProof,
} from '../../accounts/sessions/pending-authentications.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { randomToken } from '../../config/keys.js';
import type { Amr } from '../../contract/authentication.js';
import { redirect, type RedirectOutcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { nextStep, type SignInProgress } from '../../mfa/next-step.js';
import { writeAnswer } from './finished-answer.js';
import { FlowPages } from './flow-pages.js';
import { PasskeyOffer } from './passkey-offer.js';
import { SignIn } from './sign-in.js';
import type { ProvenIdentity } from './proven-identity.js';
import { clientState, lacksNewProof, wantedOf } from './waiting-request.js';
import { secondStepUrl } from './login-url.js';

/** The client requires a new authentication, and a provider confirmed an earlier one. Nothing has changed. */
export class NewProofNeeded extends Error {
  constructor() {
    super('The client requires a new authentication.');
    this.name = 'NewProofNeeded';
  }
}

/** The request names a class that a provider alone does not reach, and the account has no factor. Nothing has changed. */
export class PasswordNeeded extends Error {
  constructor() {
    super('The request requires a password.');
    this.name = 'PasswordNeeded';
  }
}

export interface FirstFactorProven {
  identity: ProvenIdentity & { amr: readonly Amr[] };
  factors: SignInProgress['factors'];
}

@Injectable()
export class FirstFactor {
  constructor(
    private readonly signIn: SignIn,
    private readonly pendings: PendingAuthentications,
    private readonly sessions: BrowserSessions,
    private readonly pages: FlowPages,
    private readonly offer: PasskeyOffer,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @returns null if another form has answered the challenge meanwhile. @throws NewProofNeeded, PasswordNeeded */
  async proven(
    request: LoginRequest,
    { identity, factors }: FirstFactorProven,
    context: RequestContext,
  ): Promise<RedirectOutcome | null> {
    const wanted = wantedOf(request, identity.account, this.config);
    const step = nextStep({ proven: identity.amr, factors, wanted, isTrusted: identity.isTrusted });
    // A factor that is verified now is a new proof; one that is set up now proves nothing.
    if (step === 'unmet') return this.signIn.refuse(request, context);
    if (step === 'prove') throw new PasswordNeeded();
    if (step !== 'verify' && lacksNewProof(identity, request, this.config.hydra)) throw new NewProofNeeded();
    if (step === 'accept') {
      return this.offer.before(await this.signIn.complete(request, identity, context), { request, identity, factors }, context);
    }
    const { challenge } = request;
    // Until the sign-in is finished, the sessions that the browser has last as long as before.
    const maxAgeSeconds = await this.sessions.rememberedSeconds(context.browser);
    const browser = { id: randomToken(), ...(maxAgeSeconds === null ? {} : { maxAgeSeconds }) };
    const answer = redirect(secondStepUrl(challenge), { browser });
    const accountId = identity.account.id;
    const pendingId = await this.pendings.begin({
      challenge,
      browser: context.browser,
      nextBrowser: browser.id,
      accountId,
      amr: identity.amr,
      context: this.#context(request, identity, wanted),
      answer: writeAnswer(answer, context),
      enrols: step === 'enrol',
    });
    return pendingId === null ? this.#joinFirst(challenge, context) : answer;
  }

  /**
   * The session that can begin together with the proof, if the account has no second factor.
   * @returns null if something else comes first
   */
  sessionOf(request: LoginRequest, identity: ProvenIdentity, context: RequestContext): NewBrowserSession | null {
    const wanted = wantedOf(request, identity.account, this.config);
    const step = nextStep({ proven: identity.amr, factors: {}, wanted });
    return step === 'accept' ? this.signIn.sessionOf(request, identity, context) : null;
  }

  /** @param given of the box of the form @returns whether the person stays signed in */
  remembers(given: string | undefined): boolean {
    const { remember } = this.config.login;
    return remember === 'ask' ? given === 'true' : remember === 'on';
  }

  /** See `SignIn.refuse`. */
  refuse(request: LoginRequest, context: RequestContext): Promise<RedirectOutcome | null> {
    return this.signIn.refuse(request, context);
  }

  #context(request: LoginRequest, identity: ProvenIdentity, wanted: WantedProof): PendingContext {
    const { uiLocales = [], returnTo = null, look } = this.pages.pageOptions(request);
    return {
      remember: identity.remember,
      isKnownDevice: identity.isKnownDevice,
      wanted,
      account: accountState(identity.account),
      client: clientState(request.client),
      requestUrl: this.pages.authorizationRequest(request)?.href ?? null,
      uiLocales,
      returnTo,
      look,
      passwordVersion: identity.passwordVersion,
      securityStamp: identity.securityStamp,
      provider: identity.provider,
      providerAuthTime: identity.providerAuthTime?.toISOString(),
      isEarlierProof: identity.isEarlierProof,
      passkeyCreation: identity.passkeyCreation,
    };
  }

  /** Concurrent clicks: the first answer counts for both. */
  async #joinFirst(challenge: string, context: RequestContext): Promise<RedirectOutcome | null> {
    const claim = await this.signIn.claim(challenge, context);
    return claim.state === 'stepped' || claim.state === 'done' ? this.signIn.repeat(claim.result, context) : null;
  }
}
