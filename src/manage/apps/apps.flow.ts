/** What has access to the account, by app, and the ends of it: for the page and the RPC calls. */
import { Inject, Injectable } from '@nestjs/common';
import { Accounts } from '../../accounts/account/accounts.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import { inLanguage } from '../../contract/locale.js';
import type { Locale } from '../../contract/locale.js';
import type { ManageStatus, ManagedAppState, ManageAppsState } from '../../contract/manage-state.js';
import { PATHS } from '../../contract/paths.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { detectLanguage } from '../../gateway/http/language.js';
import { logoUrl, webUrl } from '../../hydra/client-links.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import type { StoredConsent } from '../../hydra/hydra.port.js';
import { ManagePages } from '../session/manage-pages.js';
import type { ManageContext, ManageRequest } from '../session/manage-session.js';

@Injectable()
export class AppsFlow {
  constructor(
    private readonly pages: ManagePages,
    private readonly hydra: HydraPort,
    private readonly accounts: Accounts,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'consent' | 'language'>,
  ) {}

  async show(request: ManageRequest): Promise<Outcome> {
    const current = await this.pages.current(request);
    const manage_apps = await this.list(current);
    return this.pages.page(current, { page: 'manage_apps', ...this.pages.frame(current), manage_apps });
  }

  /** It needs no fresh proof, because it makes the account safer. @param id of a client; empty for all */
  async remove(id: string, request: ManageRequest): Promise<Outcome> {
    const current = await this.pages.current(request);
    await this.takeAway(id === '' ? null : id, current);
    const status: ManageStatus = id === '' ? 'apps-removed' : 'app-removed';
    return redirect(`${PATHS.manageApps}?${MANAGE_QUERY.status}=${status}`);
  }

  /** By name. */
  async list({ session: { accountId }, context }: ManageRequest): Promise<ManageAppsState> {
    const [subject, signIns] = await Promise.all([this.accounts.subjectOf(accountId), this.audit.lastSignIns(accountId)]);
    const { consents, isComplete } = await this.hydra.listConsents(subject);
    const { locale } = detectLanguage({ ...context.language, uiLocales: [] }, this.config.language.detection);
    const byClient = new Map<string, StoredConsent[]>();
    for (const consent of consents) byClient.set(consent.client.id, [...(byClient.get(consent.client.id) ?? []), consent]);
    const apps = [...byClient].map(([id, of]) => this.#appState(of, { lastSignIn: signIns.get(id), locale }));
    return { apps: apps.sort((one, other) => one.name.localeCompare(other.name)), ...(isComplete ? {} : { incomplete: true }) };
  }

  /** Revokes consents and tokens; the person stays signed in. @param id of a client; null for all @returns how many apps had access */
  async takeAway(id: string | null, { account, by }: ManageContext): Promise<number> {
    const subject = await this.accounts.subjectOf(account.id);
    const { consents } = await this.hydra.listConsents(subject);
    const apps = new Set(consents.flatMap(({ client }) => (id === null || client.id === id ? [client.id] : [])));
    if (apps.size === 0) return 0;
    await this.hydra.revokeConsents(subject, id ?? undefined);
    const detail = id === null ? { apps: apps.size } : { client: id };
    await this.audit.record({ ...by, kind: 'app.removed', accountId: account.id, detail });
    return apps.size;
  }

  /** @param of the consents of one client */
  #appState(
    of: readonly StoredConsent[],
    { lastSignIn, locale }: { lastSignIn: Date | undefined; locale: Locale },
  ): ManagedAppState {
    const [newest, ...older] = of.toSorted((one, other) => timeOf(other) - timeOf(one));
    if (!newest) throw new Error('An app has a consent.');
    const { client } = newest;
    const oldest = older.at(-1) ?? newest;
    const [logo, url] = [logoUrl(client), webUrl(client.clientUri)];
    const scopes = [...new Set(of.flatMap((consent) => consent.scopes))];
    return {
      id: client.id,
      name: client.name || client.id,
      ...(logo === undefined ? {} : { logo_url: logo }),
      ...(url === undefined ? {} : { url }),
      scopes: scopes.map((scope) => ({ id: scope, ...this.#title(scope, locale) })),
      granted_at: oldest.grantedAt?.toISOString() ?? null,
      last_used_at: lastSignIn?.toISOString() ?? null,
    };
  }

  #title(scope: string, locale: Locale): { title?: string } {
    const { scopes } = this.config.consent;
    const title = Object.hasOwn(scopes, scope) ? inLanguage(scopes[scope]?.title, locale) : undefined;
    return title === undefined ? {} : { title };
  }
}

function timeOf({ grantedAt }: StoredConsent): number {
  return grantedAt?.getTime() ?? 0;
}
