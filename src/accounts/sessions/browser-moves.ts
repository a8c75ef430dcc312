/**
 * Parts of statements that give a browser a new id: what waits or is signed in there goes on under it. Every such statement
 * locks the open challenges of the browser first and in their order, and moves the rest in the order of these functions:
 * tabs of one browser come to their ends at the same time, and in another order they could block each other.
 */
import { sql, type RawBuilder } from 'kysely';

export interface BrowserMove {
  /** Fingerprints of the browser ids. */
  old: RawBuilder<string>;
  next: RawBuilder<string>;
  /** Nothing moves unless it holds. */
  condition: RawBuilder<unknown>;
  /**
   * The challenge that the statement itself answers: parts of one statement do not see each other's changes, so the rows that
   * another part changes are left out.
   */
  except?: { kind: RawBuilder<string>; challenge: RawBuilder<string> };
}

/** Always true: PostgreSQL has to evaluate the part, and so take its locks, before the statement goes on. */
export const evaluatedFirst = (part: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(select count(*) from ${part}) >= 0`;

/** Locks them. @param condition evaluated before */
export function lockChallengesSql(browser: RawBuilder<string>, condition: RawBuilder<unknown> = sql`true`): RawBuilder<unknown> {
  return sql`
    select challenge_hash, kind from challenge_record
    where browser_hash = ${browser} and finished_at is null and ${condition}
    order by challenge_hash, kind for update`;
}

export function moveChallengesSql({ old, next, condition, except }: BrowserMove): RawBuilder<unknown> {
  return sql`
    update challenge_record set browser_hash = ${next}
    where browser_hash = ${old} and finished_at is null and ${condition}
      ${except ? sql`and not (challenge_hash = ${except.challenge} and kind = ${except.kind})` : sql``}
    returning kind`;
}

export function moveSessionsSql({ old, next, condition }: BrowserMove): RawBuilder<unknown> {
  return sql`update browser_session set browser_hash = ${next} where browser_hash = ${old} and ${condition} returning account_id`;
}

export function movePendingSql({ old, next, condition, except }: BrowserMove): RawBuilder<unknown> {
  return sql`
    update pending_authentication set browser_hash = ${next}
    where browser_hash = ${old} and ${condition}
      ${except ? sql`and challenge_hash <> ${except.challenge}` : sql``}
    returning id`;
}

/** A challenge that is answered has no pending sign-in any more. */
export function endPendingSql(challenge: RawBuilder<string>, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`delete from pending_authentication where challenge_hash = ${challenge} and ${condition} returning id`;
}
