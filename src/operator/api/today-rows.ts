/**
 * The rows of the page "Today", which lists what may need attention. A row is shown only to operators who may do the operation to which it
 * leads, and only if there is something to do.
 */
import { Inject, Injectable } from '@nestjs/common';
import { EventSinks } from '../../accounts/queue/event-sinks.js';
import { InstallationCounts, type NamedCount } from '../../accounts/operators/installation-counts.js';
import { Clock } from '../../config/clock.js';
import type { Config, OperatorRights } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { Readiness } from '../../gateway/http/health.controller.js';
import { SourceStates } from './source-states.js';
import { mayDo, type OperationId } from '../operations.js';
import type { TodayKind, TodayRowAnswer } from '../wire-today.js';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
/** The number of wrong passwords in an hour that is unusual, if it is also more than twice the number in the same hour a day before. */
const UNUSUAL_WRONG_PASSWORDS = 100;
const TOKEN_DAYS = 7;
const ADMIN_DAYS = 14;

interface RowCount extends Partial<NamedCount> {
  count: number;
  id?: string | null;
  /** Length of the counted period, which ends now; absent for a count of the present state. */
  seconds?: number;
}

interface TodayRow {
  kind: TodayKind;
  /** The operation to which the row leads. */
  operation: OperationId;
  find(): Promise<RowCount>;
}

@Injectable()
export class TodayRows {
  readonly #rows: readonly TodayRow[];

  constructor(
    private readonly counts: InstallationCounts,
    private readonly readiness: Readiness,
    private readonly sources: SourceStates,
    private readonly sinks: EventSinks,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'manage'>,
  ) {
    this.#rows = [
      { kind: 'health', operation: 'operatorHealth.health', find: () => this.#findUnavailableParts() },
      { kind: 'sources', operation: 'sources.list', find: () => this.#findFaultySources() },
      { kind: 'sinks', operation: 'sinks.list', find: () => this.#findFaultySinks() },
      { kind: 'scim-refused', operation: 'sources.list', find: () => this.sources.findRefusedRequests() },
      { kind: 'approvals', operation: 'approvals.list', find: () => this.counts.countApprovals() },
      { kind: 'sign-ups', operation: 'signUps.list', find: async () => ({ count: await this.counts.countSignUps() }) },
      { kind: 'wrong-passwords', operation: 'audit.ofAll', find: () => this.#findWrongPasswords() },
      { kind: 'accounts-frozen', operation: 'accounts.list', find: () => this.#findFrozenAccounts() },
      {
        kind: 'mails-abandoned',
        operation: 'mails.list',
        find: async () => ({ count: (await this.counts.countMails()).abandonedCount }),
      },
      {
        kind: 'mails-waiting',
        operation: 'mails.list',
        find: async () => ({ count: (await this.counts.countMails()).waitingCount }),
      },
      { kind: 'admins-ending', operation: 'operators.list', find: () => this.counts.countEndingAdmins(ADMIN_DAYS * DAY_SECONDS) },
      { kind: 'tokens-used', operation: 'operators.list', find: () => this.#findTokenUses() },
    ];
  }

  /** @returns the rows with something to do, the most urgent first */
  async find(rights: readonly OperatorRights[]): Promise<TodayRowAnswer[]> {
    const rows: TodayRowAnswer[] = [];
    // The rows are read one after the other, because sign-ins need the connections to the database.
    for (const { kind, operation, find } of this.#rows) {
      if (!mayDo(rights, operation)) continue;
      const { count, names = [], id = null, seconds } = await find();
      if (count > 0) rows.push({ kind, count, names, id, since: seconds === undefined ? null : this.#toStart(seconds) });
    }
    return rows;
  }

  async #findUnavailableParts(): Promise<RowCount> {
    const { parts } = await this.readiness.state();
    const names = Object.entries(parts).flatMap(([name, state]) => (state === 'ok' ? [] : [name]));
    return { count: names.length, names };
  }

  async #findFaultySources(): Promise<RowCount> {
    const names = await this.sources.findFaultySources();
    return { count: names.length, names: names.slice(0, 10) };
  }

  /** Finds sinks that fail, are paused, have given up events, or are no longer in the settings. */
  async #findFaultySinks(): Promise<RowCount> {
    const faultySinks = (await this.sinks.list()).filter(
      ({ settings, pausedAt, failingSince, dead }) => !settings || pausedAt || failingSince || dead > 0,
    );
    return { count: faultySinks.length, names: faultySinks.slice(0, 10).map(({ name }) => name) };
  }

  async #findWrongPasswords(): Promise<RowCount> {
    const { lastHour, dayBefore } = await this.counts.countWrongPasswords();
    return { count: lastHour >= UNUSUAL_WRONG_PASSWORDS && lastHour > 2 * dayBefore ? lastHour : 0, seconds: HOUR_SECONDS };
  }

  async #findFrozenAccounts(): Promise<RowCount> {
    const { freezeSeconds: seconds } = this.config.manage;
    return { count: await this.counts.countFrozenAccounts(seconds), seconds };
  }

  async #findTokenUses(): Promise<RowCount> {
    const seconds = TOKEN_DAYS * DAY_SECONDS;
    return { ...(await this.counts.countTokenUses(seconds)), seconds };
  }

  #toStart(seconds: number): string {
    return new Date(this.clock.now().getTime() - seconds * 1000).toISOString();
  }
}
