/** Whether the source of a person has to be asked again: its last answer and the sign-in, at which it was asked, are too old. */
import { sql, type RawBuilder } from 'kysely';
import { interval } from '../../database/statement.js';

/** A person of a user source who can be asked for. */
export interface CheckedPerson {
  accountId: string;
  source: string;
  /** The id of the person at the source. */
  subject: string;
}

export type OutdatedColumns = { outdated: boolean } & Record<'source' | 'source_subject', string | null>;

/**
 * Columns of a statement that joins `source_account` as `link`. A provider cannot be asked: it describes a person only when the person
 * signs in there. Its id is an issuer, with a colon (`isNeverAsked`). A sign-in in the future does not count: the clock may be Hydra's.
 * @param freshness in seconds
 */
export function selectOutdatedSql({
  signedInAt,
  freshness,
  now,
}: Record<'signedInAt' | 'now', RawBuilder<unknown>> & { freshness: RawBuilder<number> }): RawBuilder<OutdatedColumns> {
  return sql`
      link.source, link.subject as source_subject,
      coalesce(position(':' in link.source) = 0
        and coalesce(link.checked_at <= ${now} - ${interval(freshness)}, true)
        and not ${signedInAt} between ${now} - ${interval(freshness)} and ${now} + interval '1 minute', false) as outdated`;
}

/** @returns null if the source need not be asked */
export function toOutdated(
  accountId: string,
  { outdated, source, source_subject: subject }: OutdatedColumns,
): CheckedPerson | null {
  return outdated && source !== null && subject !== null ? { accountId, source, subject } : null;
}
