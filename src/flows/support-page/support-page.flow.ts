/**
 * Shows the words of the check to a person who has called the help desk and cannot sign in, after a mailed code has proven that the person
 * reads the mail of the account. The answer to a username is the same for every username, and does not wait until the account is looked
 * up (S-25). The code and the page belong to the browser that requested the code (cookie); neither of them signs the person in.
 */
import { Inject, Injectable } from '@nestjs/common';
import { RequestLimits } from '../../accounts/limits/request-limits.js';
import { SupportAccess } from '../../accounts/operators/support-access.js';
import { SupportChecks } from '../../accounts/operators/support-checks.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { PATHS } from '../../contract/paths.js';
import type { SupportState } from '../../contract/reset-state.js';
import { Fault } from '../../gateway/http/faults.js';
import { toPerson, type RequestContext } from '../../gateway/http/request-context.js';
import { page, redirect, type CookieChange, type Outcome, type PageOptions } from '../../gateway/page/outcome.js';
import { SameForms } from '../../gateway/page/same-forms.js';
import { FlowPages } from '../sign-in/flow-pages.js';
import { RequestedMails } from '../sign-in/requested-mails.js';

type NameState = Extract<SupportState, { status: 'ask' }>;
type CodeState = Extract<SupportState, { status: 'code' }>;

@Injectable()
export class SupportPageFlow {
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly pages: FlowPages,
    private readonly access: SupportAccess,
    private readonly checks: SupportChecks,
    private readonly limits: RequestLimits,
    private readonly mails: RequestedMails,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mail' | 'login' | 'operator'>,
  ) {}

  async show(context: RequestContext): Promise<Outcome> {
    this.#requireSupportCheck();
    if ((await this.access.findAccountId(toSecret(context))) !== null) return redirect(PATHS.supportWords);
    return this.#buildNameForm(context);
  }

  async ask(username: string, context: RequestContext): Promise<Outcome> {
    this.#requireSupportCheck();
    if (context.xsrf === null) return this.#buildNameForm(context, { username, error: 'stale' });
    if (username.trim() === '') return this.#buildNameForm(context, { username, error: 'empty-username' });
    const retryAfter = await this.limits.count('support-page', context);
    if (retryAfter !== null) return this.#buildNameForm(context, { username, error: 'limited', retry_after: retryAfter });
    if (!this.config.mail.server) throw new Fault('unavailable', 'No mail server is set (SMTP_URL)');
    const { byEmail } = this.config.login;
    const auditContext = toPerson(context);
    const request = await this.access.begin();
    const mailRequest = { request, username, byEmail, auditContext };
    this.mails.add({ requestId: auditContext.requestId, queue: () => this.access.mail(mailRequest) });
    return redirect(PATHS.supportCode, toCookie(request));
  }

  async showCode(context: RequestContext): Promise<Outcome> {
    this.#requireSupportCheck();
    const secret = toSecret(context);
    if (await this.access.isWaiting(secret)) return this.#buildCodeForm(context);
    return (await this.access.findAccountId(secret)) === null ? showEnd(context) : redirect(PATHS.supportWords);
  }

  async enter(code: string, context: RequestContext): Promise<Outcome> {
    this.#requireSupportCheck();
    const secret = toSecret(context);
    if (context.xsrf === null) {
      return (await this.access.isWaiting(secret)) ? this.#buildCodeForm(context, 'stale') : this.showCode(context);
    }
    return this.#sameForms.runOnce([secret, code], () => this.#enter(secret, code, context));
  }

  async showWords(context: RequestContext): Promise<Outcome> {
    this.#requireSupportCheck();
    const secret = toSecret(context);
    const accountId = await this.access.findAccountId(secret);
    if (accountId === null) return (await this.access.isWaiting(secret)) ? redirect(PATHS.supportCode) : showEnd(context);
    const check = await this.checks.find(accountId);
    const shownCheck = check && { words: check.words, operator: check.operator, expires_at: check.expiresAt.toISOString() };
    const support = {
      status: 'words',
      xsrf_token: this.pages.xsrfToken(context),
      ...(shownCheck && { check: shownCheck }),
    } as const;
    return page({ page: 'support', support });
  }

  /** An outdated form ends nothing: the page is shown again. */
  async end(context: RequestContext): Promise<Outcome> {
    this.#requireSupportCheck();
    if (context.xsrf === null) return redirect(PATHS.supportWords);
    await this.access.end(toSecret(context));
    return redirect(PATHS.support, toCookie(null));
  }

  async #enter(secret: string, code: string, context: RequestContext): Promise<Outcome> {
    const result = await this.access.enter(secret, code, toPerson(context));
    switch (result.kind) {
      case 'opened':
        return redirect(PATHS.supportWords, toCookie(result.page));
      case 'wrong':
        return this.#buildCodeForm(context, 'invalid verification code');
      case 'ended':
        // After Back, the code is submitted again although it has opened the page.
        return this.showCode(context);
    }
  }

  #requireSupportCheck(): void {
    if (!this.config.operator.supportCheck)
      throw new Fault('page_not_found', 'The help desk check is turned off (SUPPORT_CHECK)');
  }

  #buildNameForm(context: RequestContext, change: Partial<NameState> = {}): Outcome {
    const { error = null, retry_after: retryAfterSeconds } = change;
    const support: NameState = {
      status: 'ask',
      xsrf_token: this.pages.xsrfToken(context),
      username: '',
      error,
      ...(this.config.login.byEmail ? { by_email: true } : {}),
      ...change,
    };
    return page({ page: 'support', support }, { ...toOptions(error), ...defined({ retryAfterSeconds }) });
  }

  #buildCodeForm(context: RequestContext, error: CodeState['error'] = null): Outcome {
    const support = { status: 'code', xsrf_token: this.pages.xsrfToken(context), error } as const;
    return page({ page: 'support', support }, toOptions(error));
  }
}

function toOptions(error: NameState['error'] | CodeState['error']): PageOptions {
  if (error === null) return {};
  if (error === 'limited') return { status: 429 };
  return { status: error === 'stale' ? 403 : 422 };
}

/** Secret of the request for a code, or of the page that the code opened. */
const toSecret = ({ links }: RequestContext): string => links.support ?? '';

const toCookie = (token: string | null): CookieChange => ({ link: { form: 'support', token } });

/** Answers a browser whose code, or page with the words, has ended. Without a request for a code, redirects to the first form. */
function showEnd({ links }: RequestContext): Outcome {
  return links.support === null ? redirect(PATHS.support) : page({ page: 'support', support: { status: 'ended' } });
}
