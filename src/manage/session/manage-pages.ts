/** The parts that pages and RPC calls of the account area share. */
import { Inject, Injectable } from '@nestjs/common';
import { Accounts, type Account } from '../../accounts/account/accounts.js';
import { ManageSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import type { ManageFeature, ManageFrame, UserState } from '../../contract/manage-state.js';
import type { PageContent } from '../../contract/page-state.js';
import { PATHS } from '../../contract/paths.js';
import type { RpcErrorCode } from '../../contract/rpc.js';
import { ThrownOutcome, page, redirect, type PageOptions, type PageOutcome } from '../../gateway/page/outcome.js';
import type { CallFailed } from '../../gateway/http/calls.js';
import { Fault } from '../../gateway/http/faults.js';
import { toPerson } from '../../gateway/http/request-context.js';
import { Xsrf } from '../../gateway/security/xsrf.js';
import { readLastChange } from './last-change.js';
import type { ManageRequest, ManageContext } from './manage-session.js';

const RETRY_STATUSES: readonly number[] = [429, 503];

@Injectable()
export class ManagePages {
  constructor(
    private readonly sessions: ManageSessionRecords,
    private readonly accounts: Accounts,
    private readonly xsrf: Xsrf,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mail' | 'manage'>,
  ) {}

  /** The features of the installation; `email` needs a mail server, because a new address is confirmed with a mailed code. */
  get features(): readonly ManageFeature[] {
    const { mail, manage } = this.config;
    return mail.server ? manage.features : manage.features.filter((feature) => feature !== 'email');
  }

  /** @throws Fault for a feature that the installation does not offer */
  requireFeature(feature: ManageFeature): void {
    if (this.features.includes(feature)) return;
    const settings = feature === 'email' ? 'MANAGE_FEATURES, SMTP_URL' : 'MANAGE_FEATURES';
    throw new Fault('page_not_found', `This installation does not offer "${feature}" (${settings})`);
  }

  /** Loads the account of the session. @throws ThrownOutcome if the account no longer exists */
  async loadContext(request: ManageRequest): Promise<ManageContext> {
    const account = await this.accounts.find(request.session.accountId);
    // The account was deleted after the session was read.
    if (!account) throw new ThrownOutcome(redirect(`${PATHS.manageError}unauthorized`));
    return { ...request, account, auditContext: toPerson(request.context) };
  }

  buildFrame({ account, session, context }: ManageContext): ManageFrame {
    const { status, oauthError } = readLastChange(toSearch({ context }));
    return {
      api: { token: this.sessions.createFirstToken(session.sessionId) },
      user: toUserState(account),
      area: { xsrf_token: this.xsrf.issue(context.browser) },
      ...((status ?? oauthError) && {
        last_change: { ...(status && { status }), ...(oauthError && { oauth_error: oauthError }) },
      }),
    };
  }

  buildPage({ session }: ManageContext, content: PageContent, options: PageOptions = {}): PageOutcome {
    return page(content, { ...(session.returnTo ? { returnTo: session.returnTo } : {}), ...options });
  }
}

/** @returns the query of the address of this request */
export function toSearch({ context }: Pick<ManageRequest, 'context'>): URLSearchParams {
  return new URL(context.url, 'http://localhost').searchParams;
}

/** A failed form is shown again with 422, or with 429 or 503 and Retry-After. @param failure null for a new form */
export function toFailedOptions(failure: CallFailed | null): PageOptions {
  if (!failure) return {};
  const { status, hints } = failure;
  return {
    status: RETRY_STATUSES.includes(status) ? status : 422,
    ...defined({ retryAfterSeconds: hints.retryAfterSeconds }),
  };
}

/** @returns members of the state of a page with a form */
export function toFailureState(failure: CallFailed | null): { error: RpcErrorCode | null; retry_after?: number } {
  const retryAfter = failure?.hints.retryAfterSeconds;
  return { error: failure?.code ?? null, ...defined({ retry_after: retryAfter }) };
}

function toUserState({ id, username, displayName, picture }: Account): UserState {
  return { id, username, display_name: displayName, ...defined({ picture }) };
}
