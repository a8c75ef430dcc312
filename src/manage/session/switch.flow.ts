/**
 * Asks the person before an access token of another person replaces the session of the open account area. Otherwise, a link
 * could lead a person into the account of an attacker, where the person would set up factors.
 */
import { Injectable } from '@nestjs/common';
import { toAccountState } from '../../accounts/account/account-state.js';
import { Accounts } from '../../accounts/account/accounts.js';
import { OneTimeSecrets } from '../../accounts/secrets/one-time-secrets.js';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { redirect, type Outcome, type RedirectOutcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { UpstreamError } from '../../hydra/hydra.errors.js';
import { EntryFlow } from './entry.flow.js';
import { ManagePages } from './manage-pages.js';
import type { ManageRequest } from './manage-session.js';

/** The requested entry, stored while the question is shown. */
interface StoredEntry {
  token: string;
  returnTo: string | null;
  accountId: string;
}

const QUESTION_SECONDS = 600;

@Injectable()
export class SwitchFlow {
  constructor(
    private readonly accounts: Accounts,
    private readonly secrets: OneTimeSecrets,
    private readonly entry: EntryFlow,
    private readonly pages: ManagePages,
  ) {}

  /** `GET /manage?t=` while the account area is open. Always redirects, so that no page is shown at an address with a token. */
  async enter(token: unknown, returnTo: unknown, request: ManageRequest): Promise<RedirectOutcome> {
    const accountId = typeof token === 'string' ? await this.#findAccountId(token, request.context) : null;
    if (typeof token !== 'string' || accountId === null || accountId === request.session.accountId) {
      return this.entry.enter(token, returnTo, request.context);
    }
    const entry = await this.secrets.issue({
      purpose: 'manage-entry',
      boundTo: request.session.sessionId,
      payload: JSON.stringify({
        token,
        returnTo: typeof returnTo === 'string' ? returnTo : null,
        accountId,
      } satisfies StoredEntry),
      lifetimeSeconds: QUESTION_SECONDS,
    });
    return redirect(`${PATHS.manage}?${MANAGE_QUERY.entry}=${entry}`);
  }

  /** @returns null if no such question waits in this session, or if its account no longer exists */
  async show(entry: string, request: ManageRequest): Promise<Outcome | null> {
    const secret = await this.secrets.findBound('manage-entry', entry, request.session.sessionId);
    const storedEntry = secret?.payload ? (JSON.parse(secret.payload) as StoredEntry) : null;
    const account = storedEntry && (await this.accounts.find(storedEntry.accountId));
    if (!account) return null;
    const manageContext = await this.pages.loadContext(request);
    const manage_switch = { account: toAccountState(account), entry };
    return this.pages.buildPage(manageContext, { page: 'manage_switch', ...this.pages.buildFrame(manageContext), manage_switch });
  }

  /** The person agrees to the switch. If the question was answered before or has expired, the open account area is shown. */
  async submit(entry: string, { session, context }: ManageRequest): Promise<RedirectOutcome> {
    const secret = await this.secrets.consume('manage-entry', entry, session.sessionId);
    if (!secret?.payload) return redirect(PATHS.manage);
    const { token, returnTo } = JSON.parse(secret.payload) as StoredEntry;
    return this.entry.enter(token, returnTo ?? undefined, context);
  }

  /** @returns null for a token that opens no account area, or if Hydra does not answer; `EntryFlow` then shows the error */
  async #findAccountId(token: string, context: RequestContext): Promise<string | null> {
    try {
      return await this.entry.findAccountId(token, context);
    } catch (error) {
      if (error instanceof UpstreamError) return null;
      throw error;
    }
  }
}
