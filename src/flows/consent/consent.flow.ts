/**
 * Consent: whether a client gets the scopes it requests. The record belongs to the flow, not to the challenge: one
 * login can lead to several consent challenges, and Hydra up to v26.2 allows a rejected one to be accepted afterwards
 * (docs/hydra-behaviour.md, part G).
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/accounts.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { ChallengeRecords } from '../../accounts/sessions/challenge-records.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import type { ChallengeFault } from '../../contract/page-state.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { Outcome, PageOutcome } from '../../gateway/page/outcome.js';
import { SAME_PERMISSION } from '../../contract/scopes.js';
import { detectLanguage } from '../../gateway/http/language.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { ConsentRequest, Rejection } from '../../hydra/hydra.port.js';
import { isDeviceRequest } from '../../hydra/authorization-request.js';
import { skipsConsent } from '../../hydra/trusted-client.js';
import { finishOnce, readAnswer } from '../sign-in/finished-answer.js';
import { FlowPages } from '../sign-in/flow-pages.js';
import { listed } from '../sign-in/opened-requests.js';
import type { PresentedChallenge } from '../sign-in/flow-pages.js';
import { challengeFault, faultShown } from '../sign-in/waiting-request.js';
import { ConsentAnswers, DENIED } from './consent-answers.js';
import type { ConsentAnswer } from './consent-answers.js';
import { ConsentSession, consentOwner } from './consent-session.js';
import type { ConsentForm } from './consent.form.js';
import { REQUIRED_SCOPE, brokenConsentPage, consentPage, hasUnknownScope } from './consent.page.js';

const SIGNED_OUT = {
  code: 'access_denied',
  description: 'The account may not sign in, or its session has ended.',
} as const satisfies Rejection;

const INVALID_SCOPE = {
  code: 'invalid_scope',
  description: 'A requested scope is not known here.',
} as const satisfies Rejection;

@Injectable()
export class ConsentFlow {
  constructor(
    private readonly answers: ConsentAnswers,
    private readonly session: ConsentSession,
    private readonly records: ChallengeRecords,
    private readonly audit: AuditLog,
    private readonly pages: FlowPages,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** `GET /consent`: the screen, the earlier answer (CON-8), or a redirect if no screen is wanted (LOG-11). */
  async start(challenge: string, context: RequestContext): Promise<Outcome> {
    const request = await this.#request(challenge);
    if (typeof request === 'string') return this.#broken(request, { challenge }, context);
    return listed(await this.#open(request, context), 'consent', { request, context });
  }

  async #open(request: ConsentRequest, context: RequestContext): Promise<Outcome> {
    const found = await this.session.find(request, context);
    if (!found.isOwn) return this.#silentlyNotOwn(request) ?? this.#notOwn('foreign', request, context);
    const { record, account } = found;
    if (record.state === 'done') return this.#notOwn('used', request, context);
    if (record.state === 'foreign') return this.#notOwn('foreign', request, context);
    if (!account) return this.#reject(request, SIGNED_OUT, context);
    // Whoever typed the code may have it from somebody else, so nothing stands for an answer here (RFC 8628, section 5.4).
    if (isDeviceRequest(request.requestUrl)) return this.#page(request, account, context);
    const decided = await this.answers.decidedBefore(request, context);
    if (decided) {
      return this.#answered(await this.answers.grant(request, { account, scopes: decided, asked: true }, context));
    }
    const authorizationRequest = this.pages.authorizationRequest(request);
    if (request.skip || skipsConsent(request.client, authorizationRequest)) {
      const given = { account, scopes: request.requestedScope, asked: false };
      return this.#answered(await this.answers.grant(request, given, context));
    }
    if (authorizationRequest?.hasPrompt('none')) {
      const description = 'The person has not yet agreed to this.';
      return this.#reject(request, { code: 'consent_required', description }, context);
    }
    return this.#page(request, account, context);
  }

  /** `POST /consent/accept` */
  async accept(form: ConsentForm, context: RequestContext): Promise<Outcome> {
    return this.#decide(form, context, async (request, account) => {
      if (this.#isInvalid(request)) return null;
      const presented = new Set([...form.scopes, REQUIRED_SCOPE]);
      if (presented.has(SAME_PERMISSION.shown)) presented.add(SAME_PERMISSION.also);
      const scopes = request.requestedScope.filter((scope) => presented.has(scope));
      return this.answers.grantDecided(request, { account, scopes }, context);
    });
  }

  /** `POST /consent/reject` */
  async reject(form: ConsentForm, context: RequestContext): Promise<Outcome> {
    return this.#decide(form, context, (request) => {
      return this.answers.reject(request, this.#isInvalid(request) ? INVALID_SCOPE : DENIED, context);
    });
  }

  /** @param answer answers at the OAuth server; null shows the screen again */
  async #decide(form: ConsentForm, context: RequestContext, answer: Answer): Promise<Outcome> {
    const { consent_challenge: challenge, ticket } = form;
    const presented = { challenge, ticket };
    const request = await this.#request(challenge);
    if (typeof request === 'string') return this.#broken(request, presented, context);
    const claim = await this.session.claim(request, context);
    if (!claim.isOwn) return this.#notOwn('foreign', request, context);
    const { record, account } = claim;
    if (record.state === 'foreign') return this.#broken('foreign', presented, context);
    if (record.state === 'done') {
      return readAnswer(record.result, context) ?? this.#broken('used', presented, context);
    }
    if (!account) return this.#reject(request, SIGNED_OUT, context);
    const answered = await answer(request, account);
    if (answered === null) return this.#page(request, account, context);
    const at = { records: this.records, owner: consentOwner(request, context), event: answered.event };
    const first = await finishOnce(at, redirect(answered.url, answered.cookies), context);
    return first ?? this.#broken('used', presented, context);
  }

  async #request(challenge: string): Promise<ConsentRequest | ChallengeFault> {
    if (challenge === '') return 'missing';
    return this.answers.get(challenge).catch(challengeFault);
  }

  #isInvalid({ requestedScope }: ConsentRequest): boolean {
    return this.config.consent.strictScopes && hasUnknownScope(requestedScope, this.config.consent.scopes);
  }

  async #reject(request: ConsentRequest, rejection: Rejection, context: RequestContext): Promise<Outcome> {
    return this.#answered(await this.answers.reject(request, rejection, context));
  }

  /** Without a form nothing is repeated, so there is no record. */
  async #answered({ url, event }: ConsentAnswer): Promise<Outcome> {
    if (event) await this.audit.record(event);
    return redirect(url);
  }

  #page(request: ConsentRequest, account: Account, context: RequestContext): PageOutcome {
    const ticket = this.pages.ticket(request);
    const isInvalid = this.#isInvalid(request);
    return consentPage({
      request,
      account,
      ticket,
      error: isInvalid ? 'invalid-scope-requested' : null,
      xsrfToken: this.pages.xsrfToken(context),
      rules: this.config.consent,
      locale: detectLanguage({ ...context.language, uiLocales: request.uiLocales }, this.config.language.detection).locale,
      options: { ...this.pages.pageOptions(request), cookies: { resume: ticket }, ...(isInvalid ? { status: 400 } : {}) },
    });
  }

  /**
   * `prompt=none` is answered to the client, from here: a rejection at the OAuth server would lead to the whole request,
   * with the names in it. @returns null if a page is the answer
   */
  #silentlyNotOwn(request: ConsentRequest): Outcome | null {
    const authorizationRequest = this.pages.authorizationRequest(request);
    const url = authorizationRequest?.hasPrompt('none') ? authorizationRequest.refusalUrl('login_required') : undefined;
    return url === undefined ? null : redirect(url);
  }

  #broken(fault: ChallengeFault, presented: PresentedChallenge, context: RequestContext): PageOutcome {
    return this.#brokenPage(
      fault,
      { challenge: presented.challenge, restartUrl: this.pages.restartUrl(presented, context) },
      context,
    );
  }

  #notOwn(fault: ChallengeFault, request: ConsentRequest, context: RequestContext): PageOutcome {
    const { challenge } = request;
    return this.#brokenPage(fault, { challenge, restartUrl: this.pages.restartUrlOf(request, context) }, context);
  }

  #brokenPage(
    fault: ChallengeFault,
    way: { challenge: string; restartUrl: string | null },
    context: RequestContext,
  ): PageOutcome {
    // A used challenge already has an answer; a second one from here would contradict it.
    const refusalUrl = fault === 'expired' ? this.pages.refusalUrl(way.restartUrl) : undefined;
    return brokenConsentPage({ fault: faultShown(fault, context), ...way, refusalUrl, xsrfToken: this.pages.xsrfToken(context) });
  }
}

type Answer = (request: ConsentRequest, account: Account) => Promise<ConsentAnswer | null>;
