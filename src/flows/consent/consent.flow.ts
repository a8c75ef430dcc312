/**
 * Decides whether a client gets the scopes that it requests. A form that is submitted stores a record, which belongs to one of Hydra's
 * flows, not to one challenge: one login can lead to several consent challenges, and Hydra v26.2 lets a rejected challenge be accepted
 * afterwards (docs/hydra-behaviour.md, part G).
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Consenter } from '../../accounts/sessions/consent-records.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config, Language } from '../../config/config.js';
import type { ChallengeFault } from '../../contract/page-state.js';
import { redirect, type Outcome, type PageOutcome } from '../../gateway/page/outcome.js';
import { REQUIRED_SCOPE, SAME_PERMISSION } from '../../contract/scopes.js';
import { detectLanguage } from '../../gateway/http/language.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { ConsentRequest, Rejection } from '../../hydra/hydra.port.js';
import { isDeviceRequest } from '../../hydra/authorization-request.js';
import { countsGrants, mayPassWithoutConsentScreen, skipsConsent } from '../../hydra/trusted-client.js';
import { readAnswer } from '../sign-in/answers.js';
import { FlowPages, type PresentedChallenge } from '../sign-in/flow-pages.js';
import { addOpenedRequest } from '../sign-in/opened-requests.js';
import { toChallengeFault, toShownFault } from '../sign-in/waiting-request.js';
import { ConsentAnswers, DENIAL, type ConsentAnswer } from './consent-answers.js';
import { ConsentSession } from './consent-session.js';
import type { ConsentForm } from './consent.form.js';
import { FinishedConsents, GRANT_ENDED } from './finished-consents.js';
import { findGrantedScopes, isCurrent, isRemembered } from './prior-grants.js';
import { buildBrokenConsentPage, buildConsentPage, hasUnknownScope } from './consent.page.js';

const SIGNED_OUT_REJECTION = {
  code: 'access_denied',
  description: 'The account may not sign in, or its session has ended.',
} as const satisfies Rejection;

const INVALID_SCOPE = {
  code: 'invalid_scope',
  description: 'A requested scope is unknown.',
} as const satisfies Rejection;

@Injectable()
export class ConsentFlow {
  constructor(
    private readonly answers: ConsentAnswers,
    private readonly session: ConsentSession,
    private readonly finishedConsents: FinishedConsents,
    private readonly pages: FlowPages,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** `GET /consent`: the page, or a redirect if no page is needed (CON-8, LOG-11). */
  async start(challenge: string, context: RequestContext): Promise<Outcome> {
    const request = await this.#findRequest(challenge);
    if (typeof request === 'string') return this.#showBrokenChallenge(request, { challenge }, context);
    return addOpenedRequest(await this.#open(request, context), 'consent', { request, context });
  }

  async #open(request: ConsentRequest, context: RequestContext): Promise<Outcome> {
    const check = await this.session.find(request, context);
    if (!check.isOwn) return this.#answerSilently(request) ?? this.#showBrokenRequest('foreign', request, context);
    const { record, consenter } = check;
    if (record.state === 'done') return this.#showBrokenRequest('used', request, context);
    if (record.state === 'foreign') return this.#showBrokenRequest('foreign', request, context);
    if (!consenter) return this.#reject(request, SIGNED_OUT_REJECTION, context);
    // An attacker may have sent the code, so every device needs a decision on the page (RFC 8628, section 5.4).
    if (isDeviceRequest(request.requestUrl)) return this.#showPage(request, consenter, context);
    const decision = await this.answers.consumeDecision(request, context);
    if (decision && isCurrent(decision.granted, request, consenter)) {
      const consent = { consenter, scopes: decision.scopes, wasAsked: true };
      return this.#end(await this.answers.grant(request, consent, context), request, context);
    }
    if (this.#canSkipPage(request, consenter)) {
      const consent = { consenter, scopes: request.requestedScope, wasAsked: false };
      return this.#end(await this.answers.grant(request, consent, context), request, context);
    }
    if (this.pages.authorizationRequest(request)?.hasPrompt('none')) {
      const description = 'The person has not yet consented to the requested scopes.';
      return this.#reject(request, { code: 'consent_required', description }, context);
    }
    return this.#showPage(request, consenter, context);
  }

  /** Whether no page is needed: the client is trusted, or all scopes were granted before according to Hydra or the records of Foyer. */
  #canSkipPage(request: ConsentRequest, consenter: Consenter): boolean {
    const { client, requestedScope, skip } = request;
    const authorizationRequest = this.pages.authorizationRequest(request);
    if (skipsConsent(client, authorizationRequest)) return true;
    if (skip && mayPassWithoutConsentScreen(authorizationRequest) && isRemembered(request, consenter)) return true;
    const isGranted = requestedScope.length > 0 && this.#findGrantedScopes(request, consenter).length === requestedScope.length;
    return isGranted && !this.#isInvalid(request);
  }

  /** @returns the requested scopes that were granted before and need no further consent */
  #findGrantedScopes(request: ConsentRequest, consenter: Consenter): string[] {
    return countsGrants(request.client, this.pages.authorizationRequest(request)) ? findGrantedScopes(request, consenter) : [];
  }

  /** `POST /consent/accept`: the person grants the selected scopes. */
  async accept(form: ConsentForm, context: RequestContext): Promise<Outcome> {
    return this.#decide(form, context, async (request, consenter) => {
      if (this.#isInvalid(request) || !isCurrent(form.granted, request, consenter)) return null;
      const selectedScopes = new Set([...form.scopes, REQUIRED_SCOPE]);
      if (selectedScopes.has(SAME_PERMISSION.name)) selectedScopes.add(SAME_PERMISSION.olderName);
      const scopes = request.requestedScope.filter((scope) => selectedScopes.has(scope));
      return this.answers.grantDecision(request, { consenter, scopes, granted: form.granted }, context);
    });
  }

  /** `POST /consent/reject`: the person grants nothing. */
  async reject(form: ConsentForm, context: RequestContext): Promise<Outcome> {
    return this.#decide(form, context, (request) => {
      return this.answers.reject(request, this.#isInvalid(request) ? INVALID_SCOPE : DENIAL, context);
    });
  }

  /** @param answer accepts or rejects at Hydra, or starts the request again; returns null to show the page again */
  async #decide(form: ConsentForm, context: RequestContext, answer: Answer): Promise<Outcome> {
    const { consent_challenge: challenge, ticket } = form;
    const presentedChallenge = { challenge, ticket };
    const request = await this.#findRequest(challenge);
    if (typeof request === 'string') return this.#showBrokenChallenge(request, presentedChallenge, context);
    const claim = await this.session.claim(request, context);
    if (!claim.isOwn) return this.#showBrokenRequest('foreign', request, context);
    const { record, consenter } = claim;
    if (record.state === 'foreign') return this.#showBrokenChallenge('foreign', presentedChallenge, context);
    if (record.state === 'done') {
      return readAnswer(record.result, context) ?? this.#showBrokenChallenge('used', presentedChallenge, context);
    }
    const submitted = { request, presentedChallenge };
    if (!consenter) return this.#endForm(await this.answers.reject(request, SIGNED_OUT_REJECTION, context), submitted, context);
    const consentAnswer = await answer(request, consenter);
    return consentAnswer === null
      ? this.#showPage(request, consenter, context)
      : this.#endForm(consentAnswer, submitted, context);
  }

  async #endForm(
    answer: ConsentAnswer,
    { request, presentedChallenge }: { request: ConsentRequest; presentedChallenge: PresentedChallenge },
    context: RequestContext,
  ): Promise<Outcome> {
    const outcome = await this.finishedConsents.endForm(answer, request, context);
    return outcome === GRANT_ENDED
      ? this.#open(request, context)
      : (outcome ?? this.#showBrokenChallenge('used', presentedChallenge, context));
  }

  async #findRequest(challenge: string): Promise<ConsentRequest | ChallengeFault> {
    if (challenge === '') return 'missing';
    return this.answers.getRequest(challenge).catch(toChallengeFault);
  }

  #isInvalid({ requestedScope }: ConsentRequest): boolean {
    return this.config.consent.strictScopes && hasUnknownScope(requestedScope, this.config.consent.scopes);
  }

  async #reject(request: ConsentRequest, rejection: Rejection, context: RequestContext): Promise<Outcome> {
    return this.#end(await this.answers.reject(request, rejection, context), request, context);
  }

  /** Opens the request again if the answer is not valid (`GRANT_ENDED`); then the current access and grants decide. */
  async #end(answer: ConsentAnswer, request: ConsentRequest, context: RequestContext): Promise<Outcome> {
    const outcome = await this.finishedConsents.end(answer);
    return outcome === GRANT_ENDED ? this.#open(request, context) : outcome;
  }

  #showPage(request: ConsentRequest, consenter: Consenter, context: RequestContext): PageOutcome {
    const ticket = this.pages.ticket(request);
    const isInvalid = this.#isInvalid(request);
    return buildConsentPage({
      request,
      account: consenter.account,
      grantedScopes: this.#findGrantedScopes(request, consenter),
      ticket,
      error: isInvalid ? 'invalid-scope-requested' : null,
      xsrfToken: this.pages.xsrfToken(context),
      rules: this.config.consent,
      language: this.#chooseLanguage(request, context),
      options: { ...this.pages.pageOptions(request), cookies: { resume: ticket }, ...(isInvalid ? { status: 400 } : {}) },
    });
  }

  #chooseLanguage({ uiLocales }: ConsentRequest, context: RequestContext): Language {
    const { language } = this.config;
    return language.offered.get(detectLanguage({ ...context.language, uiLocales }, language).locale);
  }

  /**
   * Answers `prompt=none` by a redirect to the client. Hydra does not get the rejection, because its redirect would repeat the whole
   * request, which may name the person, in another person's browser. @returns null if a page has to be shown
   */
  #answerSilently(request: ConsentRequest): Outcome | null {
    const authorizationRequest = this.pages.authorizationRequest(request);
    const url = authorizationRequest?.hasPrompt('none')
      ? authorizationRequest.buildRefusalUrl(request.client, 'login_required')
      : undefined;
    return url === undefined ? null : redirect(url);
  }

  #showBrokenChallenge(
    fault: ChallengeFault,
    presentedChallenge: PresentedChallenge,
    context: RequestContext,
  ): Promise<PageOutcome> {
    return this.#buildBrokenPage(
      fault,
      { challenge: presentedChallenge.challenge, restartUrl: this.pages.restartUrl(presentedChallenge, context) },
      context,
    );
  }

  #showBrokenRequest(fault: ChallengeFault, request: ConsentRequest, context: RequestContext): Promise<PageOutcome> {
    const { challenge } = request;
    return this.#buildBrokenPage(fault, { challenge, restartUrl: this.pages.buildRestartUrl(request, context) }, context);
  }

  async #buildBrokenPage(
    fault: ChallengeFault,
    links: { challenge: string; restartUrl: string | null },
    context: RequestContext,
  ): Promise<PageOutcome> {
    // Only an expired challenge gets a link to the app: the app already has the answer to a used challenge, and a second answer would
    // contradict it.
    const refusalUrl = fault === 'expired' ? await this.pages.refusalUrl(links.restartUrl) : undefined;
    return buildBrokenConsentPage({
      fault: toShownFault(fault, context),
      ...links,
      refusalUrl,
      xsrfToken: this.pages.xsrfToken(context),
    });
  }
}

type Answer = (request: ConsentRequest, consenter: Consenter) => Promise<ConsentAnswer | null>;
