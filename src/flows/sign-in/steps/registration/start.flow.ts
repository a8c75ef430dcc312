/**
 * Sends the browser to the registration service (REG-1) with a ticket that represents the waiting sign-in without revealing it. If people
 * create their accounts on Foyer's pages, the browser is sent to the sign-up instead. If neither is configured, or the challenge is invalid,
 * the browser is sent to the login screen.
 */
import { Inject, Injectable } from '@nestjs/common';
import { RegistrationTickets } from '../../../../accounts/secrets/registration-tickets.js';
import { CONFIG } from '../../../../config/config.token.js';
import type { Config } from '../../../../config/config.js';
import { detectLanguage } from '../../../../gateway/http/language.js';
import { redirect, type Outcome, type RedirectOutcome } from '../../../../gateway/page/outcome.js';
import type { RequestContext } from '../../../../gateway/http/request-context.js';
import type { LoginRequest } from '../../../../hydra/hydra.port.js';
import { RegistrationService, type TicketContent } from '../../../../providers/registration/registration-service.js';
import { FlowPages } from '../../flow-pages.js';
import { addOpenedRequest } from '../../opened-requests.js';
import { readFormHints, readRequestHints, type Hints } from '../../registration-hints.js';
import { SignIns } from '../../sign-in.js';
import { toLoginUrl, toSignUpUrl } from '../../login-url.js';

export interface PostedRegistration {
  challenge: string;
  fields: Readonly<Record<string, unknown>>;
}

/** A registration that has started. */
export interface StartedRegistration {
  handle: string;
  hints: Hints;
  refused?: TicketContent['refused'];
}

@Injectable()
export class StartRegistrationFlow {
  constructor(
    private readonly signIns: SignIns,
    private readonly tickets: RegistrationTickets,
    private readonly service: RegistrationService,
    private readonly pages: FlowPages,
    @Inject(CONFIG) private readonly config: Pick<Config, 'registration' | 'language'>,
  ) {}

  /** Stores a ticket although the request is a GET: Hydra redirects people here, and they are redirected again immediately. */
  async start(challenge: string, context: RequestContext): Promise<Outcome> {
    const request = await this.#findRequest(challenge);
    if (!request) return redirect(toLoginUrl(challenge));
    const authorizationRequest = this.pages.authorizationRequest(request);
    if (request.skip) return redirect(authorizationRequest?.withRegistrationPrompt() ?? toLoginUrl(challenge));
    if (this.config.registration.signUp) return redirect(toSignUpUrl(challenge));
    const outcome = await this.#begin(
      request,
      readRequestHints(authorizationRequest, this.config.registration.hintNames),
      context,
    );
    // With `prompt=registration`, no login page has added the request.
    return addOpenedRequest(outcome, 'login', { request, context });
  }

  async submit({ challenge, fields }: PostedRegistration, context: RequestContext): Promise<Outcome> {
    const request = await this.#findRequest(challenge);
    if (!request || request.skip) return redirect(toLoginUrl(challenge));
    if (this.config.registration.signUp) return redirect(toSignUpUrl(challenge));
    return this.#begin(request, readFormHints(fields, this.config.registration.hintNames), context);
  }

  /** Redirects to the service, for the first time or because its answer has to be corrected. */
  async send(
    request: LoginRequest,
    { handle, hints, refused }: StartedRegistration,
    context: RequestContext,
  ): Promise<RedirectOutcome> {
    const { id, name } = request.client;
    const languageHints = { ...context.language, uiLocales: request.uiLocales };
    const { locale } = detectLanguage(languageHints, this.config.language);
    const content = { handle, client: { id, name }, locale, hints, ...(refused ? { refused } : {}) };
    return redirect(await this.service.buildTicketUrl(content), { resume: this.pages.ticket(request) });
  }

  async #begin(request: LoginRequest, hints: Hints, context: RequestContext): Promise<Outcome> {
    const { challenge } = request;
    const claim = await this.signIns.claim(request, context);
    if (claim.kind !== 'open') return redirect(toLoginUrl(challenge));
    const requestUrl = this.pages.authorizationRequest(request)?.href ?? null;
    const handle = await this.tickets.begin(context.browser, { challenge, requestUrl, hints });
    const redirection = await this.send(request, { handle, hints }, context);
    // The handle is added only here: an answer that has to be corrected may come from an attacker who has seen the id of this browser.
    return redirect(redirection.url, { ...redirection.cookies, registrations: [handle, ...context.registrations] });
  }

  /** @returns null if the request cannot lead to a registration */
  async #findRequest(challenge: string): Promise<LoginRequest | null> {
    if (!this.service.isConfigured && !this.config.registration.signUp) return null;
    const request = await this.signIns.askHydra(challenge);
    return typeof request === 'string' ? null : request;
  }
}
