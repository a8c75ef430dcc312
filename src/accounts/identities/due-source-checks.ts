/**
 * Queries user sources about people who neither sign in nor use an app that refreshes its tokens, so that their open sessions and
 * grants also end when they leave. Each call checks the next batch of the people of all sources; after the last person, the checks
 * begin again with the first. Gateways work independently of each other: a person whom one gateway has checked is not due for the others.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import { UserSources } from '../../sources/user-sources.js';
import { SourceChecks } from './source-checks.js';

/** Maximum number of people that one call examines; most of them are not due. */
const BATCH = 500;
/** Maximum number of people about whom one call queries a source, so that no source is flooded. */
const MAX_CHECKS = 20;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

type Row = Record<'account_id' | 'source' | 'subject', string> & { due: boolean };

/**
 * A person with an active account is due if the last answer, if any, is more than a day ago, and if the latest sign-in of the open sessions
 * is more than a day ago or, without an open session, a grant is open. Each subquery returns one value, so that the database reads only the
 * rows of these people and not a whole table.
 */
const LIST = new Statement<{ afterId: string }, Row>(
  'due-source-check.list',
  ({ param, now }) => sql`
    select p.account_id, p.source, p.subject,
      coalesce(p.checked_at <= ${now} - interval '1 day', true)
        and (select a.status from account a where a.id = p.account_id) = 'active'
        and coalesce(
          (select max(s.auth_time) from browser_session s where s.account_id = p.account_id and s.expires_at > ${now})
            <= ${now} - interval '1 day',
          (select max(g.expires_at) from consent_grant g where g.account_id = p.account_id) > ${now},
          false) as due
    from (
      select account_id, source, subject, checked_at
      from source_account where account_id > ${param('afterId')}::uuid order by account_id limit ${sql.lit(BATCH)}) p
    order by p.account_id`,
);

@Injectable()
export class DueSourceChecks {
  #afterId = LOWEST_ID;

  constructor(
    private readonly database: Database,
    private readonly checks: SourceChecks,
    private readonly sources: UserSources,
  ) {}

  /** A source that does not answer is not queried again in this call. @param signal ends the call after the current check */
  async run(signal?: AbortSignal): Promise<void> {
    const rows = await this.database.run(LIST, { afterId: this.#afterId });
    const unavailableSources = new Set<string>();
    let checkCount = 0;
    for (const { account_id: accountId, source, subject, due } of rows) {
      if (checkCount === MAX_CHECKS || signal?.aborted === true) return;
      // Set before the check: a person whose check fails must not stop the checks of the people who follow.
      this.#afterId = accountId;
      // Providers, SCIM sources, and sources that were removed from the settings cannot be queried.
      if (due && !unavailableSources.has(source) && this.sources.find(source)) {
        const check = await this.checks.check({ accountId, source, subject });
        if (check === 'unavailable' || check === 'last-known') unavailableSources.add(source);
        checkCount += 1;
      }
    }
    if (rows.length < BATCH) this.#afterId = LOWEST_ID;
  }
}
