/**
 * Sets a new password with a link (PWR-4 to PWR-7). A GET does not consume the token, because mail scanners follow links
 * (S-39); the POST that sets the password consumes it. A redirect removes the token from the address, so that no browser history contains
 * it. Afterwards the person signs in as usual, with the second factor; this browser then does not wait because of wrong passwords from
 * other browsers.
 */
import { Inject, Injectable } from '@nestjs/common';
import { toAccountState } from '../../accounts/account/account-state.js';
import type { Account } from '../../accounts/account/account.js';
import { PasswordResets } from '../../accounts/password/resets.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import type { PasswordFault } from '../../contract/manage-state.js';
import { PATHS } from '../../contract/paths.js';
import type { PasswordResetFormState, PasswordResetStatusState } from '../../contract/reset-state.js';
import {
  page,
  redirect,
  type CookieChange,
  type Outcome,
  type PageOptions,
  type PageOutcome,
} from '../../gateway/page/outcome.js';
import { ReturnTickets } from '../../gateway/page/return-tickets.js';
import { SameForms } from '../../gateway/page/same-forms.js';
import { toPerson, type RequestContext } from '../../gateway/http/request-context.js';
import { RevocationRunner } from '../../hydra/revocation-runner.js';
import { FlowPages } from '../sign-in/flow-pages.js';
import { toStatusUrl } from '../sign-in/status-url.js';
import { findPasswordFault } from '../sign-in/typed-password.js';

interface ResetFault {
  error: NonNullable<PasswordResetFormState['error']>;
  reasons?: readonly PasswordFault[];
}

interface ActiveLink {
  token: string;
  account: Account;
  requestUrl: string | null;
}

export interface TypedReset {
  token: string;
  password: string;
  repetition: string;
}

const BUSY_SECONDS = 2;

@Injectable()
export class ResetFlow {
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly pages: FlowPages,
    private readonly tickets: ReturnTickets,
    private readonly resets: PasswordResets,
    private readonly revocations: RevocationRunner,
    @Inject(CONFIG) private readonly config: Pick<Config, 'password'>,
  ) {}

  /** @param addressToken token from the address; absent after the redirect that removes it */
  async show(addressToken: string | undefined, context: RequestContext): Promise<Outcome> {
    const token = addressToken ?? context.links.password ?? '';
    const activeLink = await this.resets.find(token);
    if (!activeLink) return redirectToTokenError();
    return addressToken === undefined
      ? this.#buildForm({ token, ...activeLink }, null, context)
      : redirect(PATHS.passwordResetForm, toTokenCookie(token));
  }

  /** Shows a form with an outdated anti-forgery value again (`AcceptsOutdatedForm`). */
  async showStaleForm(token: string, context: RequestContext): Promise<Outcome> {
    const activeLink = await this.resets.find(token);
    return activeLink ? this.#buildForm({ token, ...activeLink }, { error: 'stale' }, context) : redirectToTokenError();
  }

  submit(input: TypedReset, context: RequestContext): Promise<Outcome> {
    const parts = [input.token, context.xsrf ?? '', input.password, input.repetition];
    return this.#sameForms.runOnce(parts, () => this.#reset(input, context));
  }

  async showStatus(parameter: string | undefined, ticket: string | undefined): Promise<Outcome> {
    const status: PasswordResetStatusState['status'] =
      parameter === 'success' || parameter === 'error-token' ? parameter : 'error';
    const returnLink = this.pages.toReturnLink(this.tickets.open(ticket));
    const password_reset_status = { status, ...(returnLink ? { restart_url: returnLink.url } : {}) };
    return page({ page: 'password_reset_status', password_reset_status }, await this.pages.buildOptions(returnLink));
  }

  async #reset({ token, password, repetition }: TypedReset, context: RequestContext): Promise<Outcome> {
    const activeLink = await this.resets.find(token);
    if (!activeLink) return redirectToTokenError();
    const link = { token, ...activeLink };
    const fault = findPasswordFault(password, repetition);
    if (fault) return this.#buildForm(link, { error: fault }, context);
    const result = await this.resets.reset({ token, password, auditContext: toPerson(context) });
    switch (result.kind) {
      case 'gone':
        return redirectToTokenError();
      case 'weak':
        return this.#buildForm(link, { error: 'password-strength', reasons: result.reasons }, context);
      case 'busy':
        return this.#buildForm(link, { error: 'busy' }, context);
      case 'done':
        await this.revocations.settle(result.accountId, context.requestId);
        return redirect(toStatusUrl(PATHS.passwordResetStatus, 'success', this.pages.toReturnLink(result.requestUrl)), {
          ...toTokenCookie(null),
          device: result.device,
        });
    }
  }

  async #buildForm(
    { token, account, requestUrl }: ActiveLink,
    fault: ResetFault | null,
    context: RequestContext,
  ): Promise<PageOutcome> {
    const { requireLower, requireUpper, requireDigit } = this.config.password;
    const password_reset_form: PasswordResetFormState = {
      error: null,
      ...fault,
      account: toAccountState(account),
      reset_token: token,
      xsrf_token: this.pages.xsrfToken(context),
      rules: {
        min_length: await this.resets.findMinLength(account),
        require_lower: requireLower,
        require_upper: requireUpper,
        require_digit: requireDigit,
      },
    };
    const { look } = await this.pages.buildOptions(this.pages.toReturnLink(requestUrl));
    const options = toOptions(fault?.error ?? null, token);
    return page({ page: 'password_reset_form', password_reset_form }, { ...options, ...defined({ look }) });
  }
}

function toOptions(error: PasswordResetFormState['error'], token: string): PageOptions {
  if (error === null) return {};
  const options = { self: PATHS.passwordResetForm, cookies: toTokenCookie(token) };
  if (error === 'busy') return { ...options, status: 503, retryAfterSeconds: BUSY_SECONDS };
  return { ...options, status: error === 'stale' ? 403 : 422 };
}

function toTokenCookie(token: string | null): CookieChange {
  return { link: { form: 'password', token } };
}

function redirectToTokenError(): Outcome {
  return redirect(toStatusUrl(PATHS.passwordResetStatus, 'error-token', null), toTokenCookie(null));
}
