/**
 * Requests a password reset mail (PWR-1, PWR-2). The answer is the same for every username, and does not wait until the
 * account is looked up (docs/security.md D4, S-25).
 */
import { Inject, Injectable } from '@nestjs/common';
import { RequestLimits } from '../../accounts/limits/request-limits.js';
import { PasswordResets } from '../../accounts/password/resets.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import type { PasswordRequestFormState } from '../../contract/reset-state.js';
import { page, redirect, type Outcome, type PageOptions, type PageOutcome } from '../../gateway/page/outcome.js';
import { ReturnTickets } from '../../gateway/page/return-tickets.js';
import { toPerson, type RequestContext } from '../../gateway/http/request-context.js';
import { FlowPages, type PresentedChallenge, type ReturnLink } from '../sign-in/flow-pages.js';
import { RequestedMails } from '../sign-in/requested-mails.js';
import { toStatusUrl } from '../sign-in/status-url.js';

interface TypedRequest {
  username?: string;
  ticket?: string;
}

interface ShownForm {
  username?: string;
  error?: PasswordRequestFormState['error'];
  retryAfterSeconds?: number;
  status?: number;
}

@Injectable()
export class RequestFlow {
  constructor(
    private readonly pages: FlowPages,
    private readonly tickets: ReturnTickets,
    private readonly limits: RequestLimits,
    private readonly mails: RequestedMails,
    private readonly resets: PasswordResets,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mail' | 'language' | 'login'>,
  ) {}

  async show(presentedChallenge: PresentedChallenge, context: RequestContext): Promise<Outcome> {
    return this.#buildForm(this.pages.toReturnLink(this.pages.restartUrl(presentedChallenge, context)), context);
  }

  /** Shows a form with an outdated anti-forgery value again (`AcceptsOutdatedForm`). */
  async showStaleForm({ username = '', ticket }: TypedRequest, context: RequestContext): Promise<Outcome> {
    return this.#buildForm(this.#openTicket(ticket), context, { username, error: 'stale', status: 403 });
  }

  async submit({ username = '', ticket }: TypedRequest, context: RequestContext): Promise<Outcome> {
    const returnLink = this.#openTicket(ticket);
    if (username.trim() === '') return this.#buildForm(returnLink, context, { username, error: 'empty-username', status: 422 });
    const retryAfterSeconds = await this.limits.count('password-reset', context);
    if (retryAfterSeconds !== null)
      return this.#buildForm(returnLink, context, { username, error: 'limited', status: 429, retryAfterSeconds });
    if (!this.config.mail.server) return redirect(toStatusUrl(PATHS.passwordRequestStatus, 'error', returnLink));
    const auditContext = toPerson(context, returnLink?.uiLocales);
    const { byEmail } = this.config.login;
    const request = {
      username,
      byEmail,
      locale: auditContext.locale,
      requestUrl: returnLink?.url ?? null,
      auditContext,
    };
    this.mails.add({ requestId: auditContext.requestId, queue: () => this.resets.mail(request) });
    return redirect(toStatusUrl(PATHS.passwordRequestStatus, 'success', returnLink));
  }

  async showStatus(status: string | undefined, ticket: string | undefined): Promise<Outcome> {
    const returnLink = this.#openTicket(ticket);
    const password_request_status = {
      status: status === 'success' ? ('success' as const) : ('error' as const),
      again_url: toFormUrl(returnLink),
      ...this.#toByEmail(),
      ...(returnLink ? { restart_url: returnLink.url } : {}),
    };
    return page({ page: 'password_request_status', password_request_status }, await this.pages.buildOptions(returnLink));
  }

  #toByEmail(): { by_email?: true } {
    return this.config.login.byEmail ? { by_email: true } : {};
  }

  #openTicket(ticket: string | undefined): ReturnLink | null {
    return this.pages.toReturnLink(this.tickets.open(ticket));
  }

  async #buildForm(
    returnLink: ReturnLink | null,
    context: RequestContext,
    { username, error = null, retryAfterSeconds, status }: ShownForm = {},
  ): Promise<PageOutcome> {
    const password_request_form: PasswordRequestFormState = {
      error,
      xsrf_token: this.pages.xsrfToken(context),
      username: username ?? returnLink?.username ?? '',
      ticket: returnLink?.ticket ?? '',
      ...this.#toByEmail(),
      ...defined({ retry_after: retryAfterSeconds }),
      ...(returnLink ? { restart_url: returnLink.url } : {}),
    };
    const options: PageOptions = {
      ...(await this.pages.buildOptions(returnLink)),
      ...(status === undefined ? {} : { status, self: toFormUrl(returnLink) }),
      ...defined({ retryAfterSeconds }),
    };
    return page({ page: 'password_request_form', password_request_form }, options);
  }
}

/** The address that shows the form again, with the same way back. */
function toFormUrl(returnLink: ReturnLink | null): string {
  return returnLink
    ? `${PATHS.passwordRequestForm}?${FIELDS.ticket}=${encodeURIComponent(returnLink.ticket)}`
    : PATHS.passwordRequestForm;
}
