/**
 * Decides whether the source of a person has to be queried again: it has to be if both its last answer and the sign-in, at which it was
 * queried, are too old.
 */
import { sql, type RawBuilder } from 'kysely';
import { interval } from '../../database/statement.js';

/** A person of a user source that can be queried. */
export interface QueryablePerson {
  accountId: string;
  source: string;
  /** The id of the person at the source. */
  subject: string;
}

export type OutdatedColumns = { outdated: boolean } & Record<'source' | 'source_subject', string | null>;

/**
 * Columns of a statement that joins `source_account` as `link`. A provider or a SCIM source cannot be queried: its stored name contains a
 * colon (`isNeverQueried`). The time of the sign-in may come from Hydra's clock, so a time more than a minute in the future is ignored.
 */
export function selectOutdatedSql({
  signedInAt,
  freshnessSeconds,
  now,
}: Record<'signedInAt' | 'now', RawBuilder<unknown>> & { freshnessSeconds: RawBuilder<number> }): RawBuilder<OutdatedColumns> {
  return sql`
      link.source, link.subject as source_subject,
      coalesce(position(':' in link.source) = 0
        and coalesce(link.checked_at <= ${now} - ${interval(freshnessSeconds)}, true)
        and not ${signedInAt} between ${now} - ${interval(freshnessSeconds)} and ${now} + interval '1 minute', false) as outdated`;
}

/** @returns null if the source does not have to be queried */
export function toOutdatedPerson(
  accountId: string,
  { outdated, source, source_subject: subject }: OutdatedColumns,
): QueryablePerson | null {
  return outdated && source !== null && subject !== null ? { accountId, source, subject } : null;
}
