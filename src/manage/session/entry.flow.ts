/**
 * Enters the account area: exchanges the access token in the address for a manage session of this browser, and redirects to an
 * address without the token (MAN-1, docs/security.md D2). A refusal states no reason.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { ManageSessionRecords, type ManageEntry } from '../../accounts/sessions/manage-sessions.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { hasFactorMethod, hasOwnMethod } from '../../contract/authentication.js';
import { PATHS } from '../../contract/paths.js';
import { LOG } from '../../config/log.token.js';
import { redirect, type RedirectOutcome } from '../../gateway/page/outcome.js';
import { toPerson, type RequestContext } from '../../gateway/http/request-context.js';
import { findReturnUrl } from '../../hydra/client-links.js';
import { UpstreamError } from '../../hydra/hydra.errors.js';
import { HydraPort, type AccessToken } from '../../hydra/hydra.port.js';

/** "Account management" (specification, section 3). */
const SCOPE = 'id';
const MAX_TOKEN_LENGTH = 16_384;

@Injectable()
export class EntryFlow {
  constructor(
    private readonly hydra: HydraPort,
    private readonly records: ManageSessionRecords,
    private readonly sessions: BrowserSessions,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'app' | 'manage' | 'publicUrl'>,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /**
   * Always redirects, so that no page is shown at an address with a token.
   * @param token from the address; a repeated parameter is treated as missing
   * @param returnTo the address for "back to the app"
   */
  async enter(token: unknown, returnTo: unknown, context: RequestContext): Promise<RedirectOutcome> {
    try {
      const session = typeof token === 'string' ? await this.#open(token, returnTo, context) : null;
      return session === null ? this.#refuse(context) : redirect(PATHS.manage, { manageSession: session });
    } catch (error) {
      const isOutage = error instanceof UpstreamError;
      this.log[isOutage ? 'warn' : 'error'](
        { requestId: context.requestId, err: error },
        'the account area could not be entered',
      );
      return redirect(`${PATHS.manageError}${isOutage ? 'unavailable' : 'error'}`);
    }
  }

  /** @returns the id of the account whose account area the token would open in this browser, or null */
  async findAccountId(token: string, context: RequestContext): Promise<string | null> {
    const access = await this.#findAccess(token);
    if (!access || (await this.records.isElsewhere(token, context))) return null;
    return access.subject;
  }

  async #findAccess(token: string): Promise<AccessToken | null> {
    const access = isTokenSyntax(token) ? await this.hydra.introspect(token) : null;
    return access && this.#mayEnter(access) ? access : null;
  }

  async #open(token: string, returnTo: unknown, context: RequestContext): Promise<string | null> {
    const access = await this.#findAccess(token);
    if (!access) return null;
    const { subject: accountId, clientId } = access;
    const secret = await this.records.open({
      token,
      tokenIssuedAt: access.issuedAt,
      tokenExpiresAt: access.expiresAt,
      accountId,
      clientId,
      manageBrowser: context,
      byBrowser: context.fetchSite !== null,
      returnTo: await this.#findReturnTo(clientId, returnTo),
      ...(await this.#findProofTimes(accountId, context)),
    });
    if (secret === null) return null;
    // Ends a session of another person in this browser.
    await this.records.endForBrowser(context, accountId);
    await this.audit.record({ kind: 'area.opened', ...toPerson(context), accountId, detail: { client: clientId } });
    return secret;
  }

  /**
   * Finds when the person proved a password or factor in the sign-in of this browser. A provider alone is not a fresh proof, because
   * the time of its authentication is unknown (MAN-14), and neither is a sign-in in which a trusted browser replaced the second
   * factor.
   */
  async #findProofTimes(
    accountId: string,
    { browser }: RequestContext,
  ): Promise<Pick<ManageEntry, 'provenAt' | 'factorProvenAt'>> {
    const session = await this.sessions.find(browser, accountId);
    if (!session || session.isTrusted) return { provenAt: null, factorProvenAt: null };
    const { amr, authTime } = session;
    return { provenAt: hasOwnMethod(amr) ? authTime : null, factorProvenAt: hasFactorMethod(amr) ? authTime : null };
  }

  #mayEnter({ subject, scopes, audience, clientId }: AccessToken): boolean {
    const { manage, publicUrl } = this.config;
    // A token that a client has received for itself has the id of the client as its subject, and a client could be registered with
    // the id of an account.
    if (subject === clientId) return false;
    const isForFoyer = audience.length === 0 || audience.some((address) => address.replace(/\/$/, '') === publicUrl);
    return scopes.includes(SCOPE) && isForFoyer && (manage.clients.length === 0 || manage.clients.includes(clientId));
  }

  async #findReturnTo(clientId: string, address: unknown): Promise<{ url: string; name: string } | null> {
    const client = await this.hydra.getClient(clientId);
    const url = client && findReturnUrl(client, typeof address === 'string' ? address : undefined, this.config.app.returnOrigins);
    return client && url ? { url, name: client.name } : null;
  }

  #refuse({ requestId, address }: RequestContext): RedirectOutcome {
    this.log.warn({ requestId, address, event: 'area.refused' }, 'an access token for the account area was refused');
    return redirect(`${PATHS.manageError}unauthorized`);
  }
}

/** Tokens of Hydra are opaque or JWTs. */
function isTokenSyntax(token: string): boolean {
  return token.length <= MAX_TOKEN_LENGTH && /^[A-Za-z0-9._~+/=-]+$/.test(token);
}
