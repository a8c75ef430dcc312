/** The last security events of the account, for the page and the RPC call. */
import { Injectable } from '@nestjs/common';
import { AuditLog, type AuditDetail, type AuditEntry } from '../../accounts/audit/audit-log.js';
import type { AuditKind } from '../../accounts/audit/kinds.js';
import { toShownNetwork } from '../../accounts/audit/network.js';
import { isActivityGroup, type Activity, type ActivityAnswer, type ActivityState } from '../../contract/manage-data-state.js';
import { PATHS } from '../../contract/paths.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import { IdentityProviders } from '../../providers/identity-providers.port.js';
import { FreshProof } from '../session/fresh-proof.js';
import { ManageForms } from '../session/manage-forms.js';
import { ManagePages } from '../session/manage-pages.js';
import type { ManageContext, ManageRequest } from '../session/manage-session.js';
import { ACTIVITIES_BY_KIND, listShownKinds } from './activity-kinds.js';
import { defined } from '../../config/defined.js';

/** How many apps are looked up at Hydra for a page; further apps are shown with their ids. */
const MAX_NAMES = 10;

export interface WantedActivity {
  /** `next_cursor` of the previous page; a value that is not a cursor returns an empty page. */
  cursor?: string;
  /** A group of activities; any other value shows all. */
  show?: string;
}

/** Names of apps by `client_id`. */
type AppNames = ReadonlyMap<string, string>;

@Injectable()
export class ActivityFlow {
  constructor(
    private readonly pages: ManagePages,
    private readonly forms: ManageForms,
    private readonly proof: FreshProof,
    private readonly audit: AuditLog,
    private readonly hydra: HydraPort,
    private readonly providers: IdentityProviders,
  ) {}

  async show(query: WantedActivity, request: ManageRequest): Promise<Outcome> {
    const manageContext = await this.pages.loadContext(request);
    this.pages.requireFeature('activity');
    await this.forms.requireSignIn(manageContext, PATHS.manageActivity);
    const manage_activity = {
      ...(await this.list(query, manageContext)),
      ...(query.cursor === undefined ? {} : { is_continued: true as const }),
      ...(isActivityGroup(query.show) ? { shown: query.show } : {}),
    };
    return this.pages.buildPage(manageContext, {
      page: 'manage_activity',
      ...this.pages.buildFrame(manageContext),
      manage_activity,
    });
  }

  /** @throws ProofRequired; Fault if the installation does not offer the feature */
  async list({ cursor, show }: WantedActivity, manageContext: ManageContext): Promise<ActivityAnswer> {
    this.pages.requireFeature('activity');
    await this.proof.requireSignIn(manageContext);
    const { session, context } = manageContext;
    const kinds = listShownKinds(isActivityGroup(show) ? show : undefined);
    const query = { ofPresentPerson: session.accountId, kinds };
    const { entries, nextCursor } = await this.audit.search({ ...query, ...defined({ cursor }) });
    // A consent that was granted without a question is left out, because the sign-in event contains the same information.
    const shownEntries = entries.filter(({ kind, detail }) => kind !== 'consent.granted' || detail?.['asked'] !== false);
    const names = await this.#findAppNames(shownEntries);
    const currentNetwork = toShownNetwork(context.address);
    return {
      entries: shownEntries.flatMap((entry) => toActivityStates(entry, { about: this.#describe(entry, names), currentNetwork })),
      ...defined({ next_cursor: nextCursor }),
    };
  }

  /** @returns the name or id of an app or provider, or a device */
  #describe({ detail = {} }: AuditEntry, names: AppNames): string | undefined {
    const [client, provider] = [toText(detail['client']), toText(detail['provider'])];
    if (client !== undefined) return names.get(client) || client;
    return provider === undefined ? toText(detail['device']) : (this.providers.find(provider)?.name ?? provider);
  }

  /** Leaves out apps that Hydra does not return, so that the list does not depend on Hydra. */
  async #findAppNames(entries: readonly AuditEntry[]): Promise<AppNames> {
    const ids = [...new Set(entries.flatMap(({ detail }) => toText(detail?.['client']) ?? []))].slice(0, MAX_NAMES);
    const clients = await Promise.allSettled(ids.map((id) => this.hydra.getClient(id)));
    return new Map(
      clients.flatMap((client) => (client.status === 'fulfilled' && client.value ? [[client.value.id, client.value.name]] : [])),
    );
  }
}

function toActivityStates(
  { id, kind, at, actor, address, detail = {} }: AuditEntry,
  { about, currentNetwork }: { about: string | undefined; currentNetwork: string },
): ActivityState[] {
  const activity = toActivity(kind, detail);
  if (activity === null) return [];
  const network = actor === 'person' && address !== undefined ? toShownNetwork(address) : undefined;
  const [browser, factor] = [toText(detail['browser']), toText(detail['factor'])];
  return [
    {
      id,
      activity,
      at: at.toISOString(),
      ...(actor === 'operator' ? { by_operator: true } : {}),
      ...defined({ browser }),
      ...defined({ network }),
      ...(network === currentNetwork ? { is_this_network: true } : {}),
      ...(factor === undefined ? {} : { factor: factor.replace(/-setup$/, '') }),
      ...(isSignIn(kind) && Array.isArray(detail['amr']) ? { amr: detail['amr'] } : {}),
      ...defined({ about }),
    },
  ];
}

/** Some kinds of events are different activities for a person, depending on their detail. */
function toActivity(kind: AuditKind, detail: AuditDetail): Activity | null {
  // A request is shown only if a required check of who is calling is missing. Any other operation is shown when it is performed.
  if (kind === 'approval.asked' && !('announced' in detail)) return null;
  if (kind === 'sessions.ended' && 'device' in detail) return 'device-ended';
  if (kind === 'account.changed' && Array.isArray(detail['fields'])) {
    const fields = detail['fields'].toSorted().join(' ');
    if (fields === 'email' || fields === 'email emailVerified') return 'email-changed';
    if (fields === 'emailVerified') return 'email-confirmed';
  }
  return ACTIVITIES_BY_KIND[kind];
}

function isSignIn(kind: AuditKind): boolean {
  return kind === 'sign-in.ok' || kind === 'sign-in.continued';
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
