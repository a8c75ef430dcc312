/**
 * Queries a user source again about a person, and updates the account. While a query about a person is running, further checks of the
 * person wait for its answer, on other gateways too: the row of the account has a lease. A person who is gone or disabled at the source
 * loses all access to Foyer.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../config/clock.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { defined } from '../../config/defined.js';
import { waitAtMost } from '../../config/wait-at-most.js';
import { Database } from '../../database/database.js';
import { realPause } from '../../database/pause.js';
import { interval, Statement } from '../../database/statement.js';
import { SourceUnavailable } from '../../sources/source.errors.js';
import type { SourcePerson } from '../../sources/user-source.port.js';
import { UserSources } from '../../sources/user-sources.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import type { QueryablePerson } from '../sessions/outdated-person.js';
import { SourceAccounts } from './source-accounts.js';

/**
 * `current`: the account has the current values of the person. `left`: the person is gone or disabled, and the access has ended.
 * `unavailable`: the source does not answer in time, or the link of the account has since been changed.
 */
type Answer = 'current' | 'left' | 'unavailable';

/** If the source is unavailable, `SOURCE_DOWN` decides between `last-known`, which relies on the last known values, and `unavailable`. */
export type SourceCheck = Answer | 'last-known';

/**
 * Maximum time for the answer of a source. When an app refreshes its tokens, Hydra waits for the answer, and the app waits for
 * Hydra.
 */
const ANSWER_TIMEOUT_MS = 5000;
/** Longer than a query and the writes that follow it. A gateway that is killed delays the next query by this time. */
const LEASE_SECONDS = 15;
const POLL_INTERVAL_MS = 100;

/** Returns no row while a query is running, if the last answer is still fresh, or if the account has no source. */
const CLAIM = new Statement<{ account: string; freshness: number }, { asked_at: Date }>(
  'source-check.claim',
  ({ param, now }) => sql`
    update source_account set checking_until = ${now} + ${interval(LEASE_SECONDS)}
    where account_id = ${param('account')}::uuid and coalesce(checking_until <= ${now}, true)
      and coalesce(checked_at <= ${now} - ${interval(param('freshness'))}, true)
    returning ${now} as asked_at`,
);

const FINISH = new Statement<{ account: string; checkedAt: Date | null }, unknown>(
  'source-check.finish',
  ({ param }) => sql`
    update source_account set checking_until = null, checked_at = coalesce(${param('checkedAt')}::timestamptz, checked_at)
    where account_id = ${param('account')}::uuid`,
);

const FIND_STATE = new Statement<{ account: string; freshness: number }, { checked: boolean; open: boolean }>(
  'source-check.state',
  ({ param, now }) => sql`
    select coalesce(checked_at > ${now} - ${interval(param('freshness'))}, false) as checked,
      coalesce(checking_until > ${now}, false) as open
    from source_account where account_id = ${param('account')}::uuid`,
);

@Injectable()
export class SourceChecks {
  /** The running checks of this gateway, by account. */
  readonly #runningChecks = new Map<string, Promise<SourceCheck>>();
  /** When the audit log last recorded that a source does not answer, by source. */
  readonly #reportTimes = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly sources: UserSources,
    private readonly accounts: SourceAccounts,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'sourceChecks'>,
  ) {}

  /** @param requestId absent if no request caused the check */
  check(person: QueryablePerson, requestId?: string): Promise<SourceCheck> {
    const { accountId } = person;
    const runningCheck = this.#runningChecks.get(accountId);
    if (runningCheck) return runningCheck;
    const check = this.#checkOrUseLastKnown(person, requestId).finally(() => this.#runningChecks.delete(accountId));
    this.#runningChecks.set(accountId, check);
    return check;
  }

  async #checkOrUseLastKnown(person: QueryablePerson, requestId?: string): Promise<SourceCheck> {
    const answer = await this.#check(person, { actor: 'system', ...defined({ requestId }) });
    return answer === 'unavailable' && this.config.sourceChecks.whenDown === 'last-known' ? 'last-known' : answer;
  }

  async #check(person: QueryablePerson, auditContext: AuditContext): Promise<Answer> {
    const { accountId: account } = person;
    const [claim] = await this.database.run(CLAIM, { account, freshness: this.config.sourceChecks.freshnessSeconds });
    if (!claim) return this.#awaitOtherGateway(account);
    let answer: Answer = 'unavailable';
    try {
      answer = await this.#querySource(person, { auditContext, askedAt: claim.asked_at });
    } finally {
      await this.database.run(FINISH, { account, checkedAt: answer === 'unavailable' ? null : claim.asked_at });
    }
    return answer;
  }

  async #querySource(
    { accountId, source, subject }: QueryablePerson,
    { auditContext, askedAt }: { auditContext: AuditContext; askedAt: Date },
  ): Promise<Answer> {
    const answer = this.sources.describe(source, subject).catch(toUnavailable);
    const person: SourcePerson | null | 'unavailable' = await waitAtMost(answer, ANSWER_TIMEOUT_MS, 'unavailable');
    if (person === 'unavailable') {
      await this.#report(source, auditContext);
      return 'unavailable';
    }
    this.#reportTimes.delete(source);
    if (person?.isActive !== true) {
      await this.accounts.endAccess({ source, subject }, auditContext);
      const detail = { source, reason: person === null ? 'gone' : 'disabled' };
      await this.audit.record({ ...auditContext, kind: 'source.refused', accountId, detail });
      return 'left';
    }
    const provenAccount = await this.accounts.updateKnown({ source, person, auditContext, askedAt });
    // Otherwise, the link of the account has since been changed.
    return provenAccount?.account.id === accountId ? 'current' : 'unavailable';
  }

  /** Returns at once if the last answer is still fresh. Otherwise, waits for the answer that another gateway receives. */
  async #awaitOtherGateway(account: string): Promise<Answer> {
    const endsAt = performance.now() + ANSWER_TIMEOUT_MS;
    while (performance.now() < endsAt) {
      const freshness = this.config.sourceChecks.freshnessSeconds;
      const [state] = await this.database.run(FIND_STATE, { account, freshness });
      // If the person has left, the other gateway has ended the access. After `current`, the account has to be read again.
      if (state?.checked) return 'current';
      if (!state?.open) return 'unavailable';
      await realPause(POLL_INTERVAL_MS);
    }
    return 'unavailable';
  }

  /** Records an outage once on each gateway, and again after the time for which an answer is fresh. */
  async #report(source: string, auditContext: AuditContext): Promise<void> {
    const now = this.clock.now().getTime();
    const reportedAt = this.#reportTimes.get(source);
    if (reportedAt !== undefined && now - reportedAt < this.config.sourceChecks.freshnessSeconds * 1000) return;
    this.#reportTimes.set(source, now);
    await this.audit.record({ ...auditContext, kind: 'source.unavailable', detail: { source } });
  }
}

function toUnavailable(error: unknown): 'unavailable' {
  if (error instanceof SourceUnavailable) return 'unavailable';
  throw error;
}
