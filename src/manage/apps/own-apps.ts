/** Lists the apps that have access to an account, and ends their access. An access token alone is not enough. */
import { Inject, Injectable } from '@nestjs/common';
import { Accounts } from '../../accounts/account/accounts.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { chooseText, type Locale } from '../../contract/locale.js';
import type { ManagedAppState, ManageAppsState } from '../../contract/manage-state.js';
import { REQUIRED_SCOPE, toNames } from '../../contract/scopes.js';
import { detectLanguage } from '../../gateway/http/language.js';
import { toLogos, toWebUrl } from '../../hydra/client-links.js';
import type { StoredConsent } from '../../hydra/hydra.port.js';
import { isTrusted } from '../../hydra/trusted-client.js';
import { AppConsents } from '../session/app-consents.js';
import { FreshProof } from '../session/fresh-proof.js';
import type { ManageContext } from '../session/manage-session.js';

@Injectable()
export class OwnApps {
  constructor(
    private readonly proof: FreshProof,
    private readonly accounts: Accounts,
    private readonly audit: AuditLog,
    private readonly consents: AppConsents,
    @Inject(CONFIG) private readonly config: Pick<Config, 'consent' | 'language'>,
  ) {}

  /** Lists the apps by name. @throws ProofRequired */
  async list(manageContext: ManageContext): Promise<ManageAppsState> {
    await this.proof.requireSignIn(manageContext);
    const { session, context } = manageContext;
    const { accountId } = session;
    const [subject, signIns] = await Promise.all([this.accounts.findSubject(accountId), this.audit.findLastSignIns(accountId)]);
    const { consents, isComplete } = await this.consents.list(accountId, subject);
    const { locale } = detectLanguage({ ...context.language, uiLocales: [] }, this.config.language);
    const consentsByClient = new Map<string, StoredConsent[]>();
    for (const consent of consents) {
      consentsByClient.set(consent.client.id, [...(consentsByClient.get(consent.client.id) ?? []), consent]);
    }
    const apps = [...consentsByClient].map(([id, group]) => this.#toAppState(group, { lastSignIn: signIns.get(id), locale }));
    return { apps: apps.sort((one, other) => one.name.localeCompare(other.name)), ...(isComplete ? {} : { incomplete: true }) };
  }

  /**
   * Revokes consents and tokens; the person stays signed in.
   * @param id of a client; null for all
   * @returns whether an app had access
   * @throws ProofRequired
   */
  async revoke(id: string | null, manageContext: ManageContext): Promise<boolean> {
    await this.proof.requireSignIn(manageContext);
    const { account, auditContext } = manageContext;
    const subject = await this.accounts.findSubject(account.id);
    const owner = { accountId: account.id, subject };
    const { consents, isComplete } =
      id === null
        ? await this.consents.list(account.id, subject)
        : { consents: await this.consents.listOfApp(id, owner), isComplete: true };
    if (consents.length === 0 && isComplete) return false;
    await this.consents.revoke({ ...owner, clientId: id });
    const clientIds = new Set(consents.map(({ client }) => client.id));
    const detail = id === null ? defined({ apps: isComplete ? clientIds.size : undefined }) : { client: id };
    await this.audit.record({ ...auditContext, kind: 'app.removed', accountId: account.id, detail });
    return true;
  }

  /**
   * Revokes all scopes of an app except `openid` and the kept ones, under all their names (`toNames`). Hydra cannot remove a scope
   * from a token, so consents and tokens are revoked too: the app has to request access again. If earlier grants apply to that
   * request (`countsGrants`), the app receives the kept scopes without a question.
   * @throws ProofRequired
   */
  async narrow(
    id: string,
    keptScopes: readonly string[],
    manageContext: ManageContext,
  ): Promise<'narrowed' | 'unchanged' | 'trusted' | 'unknown'> {
    await this.proof.requireSignIn(manageContext);
    const { account, auditContext } = manageContext;
    const subject = await this.accounts.findSubject(account.id);
    const owner = { accountId: account.id, subject };
    const [consent, ...otherConsents] = await this.consents.listOfApp(id, owner);
    if (!consent) return 'unknown';
    if (isTrusted(consent.client)) return 'trusted';
    const remainingScopes = [REQUIRED_SCOPE, ...keptScopes.flatMap(toNames)];
    const revokedScopes = toScopes([consent, ...otherConsents]).filter((scope) => !remainingScopes.includes(scope));
    if (revokedScopes.length === 0) return 'unchanged';
    await this.consents.revoke({ ...owner, clientId: id, keptScopes: remainingScopes });
    const detail = { client: id, scopes: revokedScopes };
    await this.audit.record({ ...auditContext, kind: 'app.narrowed', accountId: account.id, detail });
    return 'narrowed';
  }

  /** @param consents of one client, at least one */
  #toAppState(
    consents: readonly StoredConsent[],
    { lastSignIn, locale }: { lastSignIn: Date | undefined; locale: Locale },
  ): ManagedAppState {
    const [newestConsent, ...otherConsents] = consents.toSorted((one, other) => toTime(other) - toTime(one));
    if (!newestConsent) throw new Error('An app without a consent was listed');
    const { client } = newestConsent;
    const oldestConsent = otherConsents.at(-1) ?? newestConsent;
    const url = toWebUrl(client.clientUri);
    const scopes = toScopes(consents);
    return {
      id: client.id,
      name: client.name || client.id,
      ...toLogos(client),
      ...defined({ url }),
      scopes: scopes.map((scope) => ({ id: scope, ...this.#findTitle(scope, locale) })),
      ...(isTrusted(client) ? { trusted: true as const } : {}),
      granted_at: oldestConsent.grantedAt?.toISOString() ?? null,
      last_used_at: lastSignIn?.toISOString() ?? null,
    };
  }

  #findTitle(scope: string, locale: Locale): { title?: string } {
    const { scopes } = this.config.consent;
    const title = Object.hasOwn(scopes, scope) ? chooseText(scopes[scope]?.title, locale) : undefined;
    return title === undefined ? {} : { title };
  }
}

function toScopes(consents: readonly StoredConsent[]): string[] {
  return [...new Set(consents.flatMap(({ scopes }) => scopes))];
}

function toTime({ grantedAt }: StoredConsent): number {
  return grantedAt?.getTime() ?? 0;
}
