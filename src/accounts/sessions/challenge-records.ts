/**
 * One record for each Hydra challenge, written when a browser opens it first. Hydra's challenges can be reused and work for
 * everybody who sees the address (docs/security.md D11). The record stores which browser works on a challenge and the
 * result, so that a double click, Back, a second tab or a second browser end in one result at most.
 *
 * A record counts until the cleanup deletes it: an expired record still prevents reuse of the challenge.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import { fingerprint, Keys } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { interval, Statement } from '../../database/statement.js';

export interface ChallengeOwner {
  kind: 'login' | 'consent' | 'logout';
  challenge: string;
  browser: string;
}

export type ClaimState =
  | { state: 'new' }
  /** `isPending`: the password was correct and a second factor is pending. */
  | { state: 'open'; isPending?: true }
  | { state: 'foreign' }
  /** This browser continued under a new id; `result` is the answer that set it, for a double click. */
  | { state: 'stepped'; result: string | null }
  | { state: 'done'; result: string | null };

/** `finish` was called by a browser that has not claimed the challenge. */
export class ChallengeNotClaimed extends Error {
  constructor() {
    super('This challenge was not claimed by this browser.');
    this.name = 'ChallengeNotClaimed';
  }
}

type OwnerValues = Record<'kind' | 'challenge' | 'browser', string>;

interface RecordRow {
  own: boolean;
  fresh: boolean;
  finished: boolean;
  inserted: boolean;
  /** Sealed. */
  result: string | null;
  /** The claim belonged to this browser until the last step gave it a new id. */
  previous: boolean;
  stepped_lately: boolean;
  /** Sealed. */
  step_result: string | null;
  pending: boolean;
}

/** Time in which the same browser gets the result again: for double clicks, not for replays. */
const REPEAT_WINDOW = sql.raw(`interval '10 seconds'`);

/** Of a record `r`, for the browser that asks. */
const seenBy = (x: { browser: RawBuilder<string>; now: RawBuilder<Date> }): RawBuilder<unknown> => sql`
  r.browser_hash = ${x.browser} as own, r.finished_at is not null as finished,
  coalesce(r.finished_at > ${x.now} - ${REPEAT_WINDOW}, false) as fresh, r.result,
  coalesce(r.previous_browser_hash = ${x.browser}, false) as previous,
  coalesce(r.stepped_at > ${x.now} - ${REPEAT_WINDOW}, false) as stepped_lately, r.step_result`;

const PEEK = new Statement<OwnerValues, RecordRow>(
  'challenge.peek',
  ({ param, now }) => sql`
    select ${seenBy({ browser: param('browser'), now })}, false as inserted, coalesce(p.expires_at > ${now}, false) as pending
    from challenge_record r
      left join pending_authentication p on r.kind = 'login' and p.challenge_hash = r.challenge_hash
        and p.browser_hash = r.browser_hash and p.closed_at is null
    where r.challenge_hash = ${param('challenge')} and r.kind = ${param('kind')}`,
);

/** The update changes nothing; it makes PostgreSQL return the existing row. `xmax` is 0 for a new one. */
const CLAIM = new Statement<OwnerValues & { lifetime: number }, RecordRow>(
  'challenge.claim',
  ({ param, now }) => sql`
    insert into challenge_record as r (challenge_hash, kind, browser_hash, expires_at)
    values (${param('challenge')}, ${param('kind')}, ${param('browser')},
      ${now} + ${interval(param('lifetime'))})
    on conflict (challenge_hash, kind) do update set browser_hash = r.browser_hash
    returning ${seenBy({ browser: param('browser'), now })}, r.xmax = 0 as inserted,
      r.kind = 'login' and exists (
        select from pending_authentication p
        where p.challenge_hash = r.challenge_hash and p.browser_hash = r.browser_hash and p.closed_at is null
          and p.expires_at > ${now}) as pending`,
);

const MOVE = new Statement<{ old: string; next: string }, never>(
  'challenge.move',
  ({ param }) => sql`
    with pending as (
      update pending_authentication set browser_hash = ${param('next')} where browser_hash = ${param('old')} returning id
    )
    update challenge_record set browser_hash = ${param('next')} where browser_hash = ${param('old')} and finished_at is null`,
);

const FINISH = new Statement<OwnerValues & { result: string }, { result: string }>(
  'challenge.finish',
  ({ param, now }) => sql`
    update challenge_record
    set result = coalesce(result, ${param('result')}), finished_at = coalesce(finished_at, ${now})
    where challenge_hash = ${param('challenge')} and kind = ${param('kind')} and browser_hash = ${param('browser')}
    returning result`,
);

/** Concurrent requests wait here; the second one finds that the record has a new owner. */
const TRANSFER = new Statement<OwnerValues & { next: string; result: string }, unknown>(
  'challenge.transfer',
  ({ param, now }) => sql`
    update challenge_record
    set browser_hash = ${param('next')}, previous_browser_hash = browser_hash, step_result = ${param('result')}, stepped_at = ${now}
    where challenge_hash = ${param('challenge')} and kind = ${param('kind')} and browser_hash = ${param('browser')}
      and finished_at is null
    returning 1`,
);

@Injectable()
export class ChallengeRecords {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
  ) {}

  /** Writes nothing. */
  async peek(owner: ChallengeOwner): Promise<ClaimState> {
    const [row] = await this.database.run(PEEK, hashed(owner));
    return row ? this.#stateOf(row) : { state: 'new' };
  }

  /**
   * The first browser gets the challenge and the state `new`.
   * @param lifetimeSeconds at least as long as the OAuth server accepts the challenge
   */
  async claim(owner: ChallengeOwner, lifetimeSeconds: number): Promise<ClaimState> {
    const [row] = await this.database.run(CLAIM, { ...hashed(owner), lifetime: lifetimeSeconds });
    return row && !row.inserted ? this.#stateOf(row) : { state: 'new' };
  }

  /** @returns the first result that was stored. @throws ChallengeNotClaimed */
  async finish(owner: ChallengeOwner, result: string): Promise<string> {
    const sealed = this.keys.seal('challenge-result', result);
    const [row] = await this.database.run(FINISH, { ...hashed(owner), result: sealed });
    if (!row) throw new ChallengeNotClaimed();
    return row.result === sealed ? result : (this.keys.open('challenge-result', row.result) ?? result);
  }

  /**
   * Moves the claim to a new browser id during a sign-in, so that an id that was planted or seen cannot continue.
   * @param answer the answer that sets the new id
   * @returns false if the record belongs to another browser or is finished
   */
  async transfer(
    owner: ChallengeOwner,
    { nextBrowser, answer }: { nextBrowser: string; answer: string },
    trx: Transaction<Schema>,
  ): Promise<boolean> {
    const values = { ...hashed(owner), next: fingerprint(nextBrowser), result: this.keys.seal('challenge-result', answer) };
    return (await this.database.run(TRANSFER, values, trx)).length > 0;
  }

  /** The browser gets a new id: challenges and pending authentications of its other tabs stay its own. */
  async move(oldBrowser: string, newBrowser: string): Promise<void> {
    await this.database.run(MOVE, { old: fingerprint(oldBrowser), next: fingerprint(newBrowser) });
  }

  #stateOf(row: RecordRow): ClaimState {
    const { own, finished, fresh } = row;
    if (finished) return { state: 'done', result: own && fresh ? this.#open(row.result) : null };
    if (own) return { state: 'open', ...(row.pending ? { isPending: true } : {}) };
    if (!row.previous) return { state: 'foreign' };
    return { state: 'stepped', result: row.stepped_lately ? this.#open(row.step_result) : null };
  }

  #open(sealed: string | null): string | null {
    return sealed === null ? null : this.keys.open('challenge-result', sealed);
  }
}

function hashed({ kind, challenge, browser }: ChallengeOwner): OwnerValues {
  return { kind, challenge: fingerprint(challenge), browser: fingerprint(browser) };
}
