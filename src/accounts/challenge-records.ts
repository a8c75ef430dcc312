/**
 * One record per challenge, written at the first POST. The upstream's challenges can be used again and by anybody who
 * sees the address (security decision D11); this record says whose browser works on one and what came of it, so that a
 * double click, Back, a second tab and a second browser end in one result at most.
 *
 * A record counts until it is swept: one that is past its time still refuses rather than lets a challenge be used again.
 */
import { sql } from 'kysely';
import type { Keys } from '../config/keys.js';
import { fingerprint } from '../config/keys.js';
import type { Database } from '../database/database.js';
import { Statement } from '../database/statement.js';

export interface ChallengeOwner {
  kind: 'login' | 'consent' | 'logout';
  challenge: string;
  browser: string;
}

export type ClaimState = { state: 'new' } | { state: 'open' } | { state: 'foreign' } | { state: 'done'; result: string | null };

/** `finish` was called by a browser that had not claimed the challenge. */
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
}

/** How long the same browser is given the result again: a double click, not a replay. */
const REPEAT_WINDOW = sql.raw(`interval '10 seconds'`);

const PEEK = new Statement<OwnerValues, RecordRow>(
  'challenge.peek',
  ({ slot, now }) => sql`
    select browser_hash = ${slot('browser')} as own, finished_at is not null as finished,
      coalesce(finished_at > ${now} - ${REPEAT_WINDOW}, false) as fresh, result, false as inserted
    from challenge_record where challenge_hash = ${slot('challenge')} and kind = ${slot('kind')}`,
);

/** The update changes nothing; it is what makes PostgreSQL return the row that was there. `xmax` is 0 for a new one. */
const CLAIM = new Statement<OwnerValues & { lifetime: number }, RecordRow>(
  'challenge.claim',
  ({ slot, now }) => sql`
    insert into challenge_record as r (challenge_hash, kind, browser_hash, expires_at)
    values (${slot('challenge')}, ${slot('kind')}, ${slot('browser')},
      ${now} + ${slot('lifetime')}::double precision * interval '1 second')
    on conflict (challenge_hash, kind) do update set browser_hash = r.browser_hash
    returning r.browser_hash = ${slot('browser')} as own, r.finished_at is not null as finished,
      coalesce(r.finished_at > ${now} - ${REPEAT_WINDOW}, false) as fresh, r.result, r.xmax = 0 as inserted`,
);

const FINISH = new Statement<OwnerValues & { result: string }, { result: string }>(
  'challenge.finish',
  ({ slot, now }) => sql`
    update challenge_record
    set result = coalesce(result, ${slot('result')}), finished_at = coalesce(finished_at, ${now})
    where challenge_hash = ${slot('challenge')} and kind = ${slot('kind')} and browser_hash = ${slot('browser')}
    returning result`,
);

export class ChallengeRecords {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
  ) {}

  /** For a GET: writes nothing. */
  async peek(owner: ChallengeOwner): Promise<ClaimState> {
    const [row] = await this.database.run(PEEK, hashed(owner));
    return row ? this.#stateOf(row) : { state: 'new' };
  }

  /**
   * For a POST: the first browser that comes has the challenge, and learns `new`.
   * @param lifetimeSeconds at least as long as the upstream takes the challenge
   */
  async claim(owner: ChallengeOwner, lifetimeSeconds: number): Promise<ClaimState> {
    const [row] = await this.database.run(CLAIM, { ...hashed(owner), lifetime: lifetimeSeconds });
    return row && !row.inserted ? this.#stateOf(row) : { state: 'new' };
  }

  /** @returns the result that counts: the first one that was given. Throws ChallengeNotClaimed */
  async finish(owner: ChallengeOwner, result: string): Promise<string> {
    const sealed = this.keys.seal('challenge-result', result);
    const [row] = await this.database.run(FINISH, { ...hashed(owner), result: sealed });
    if (!row) throw new ChallengeNotClaimed();
    return row.result === sealed ? result : (this.keys.open('challenge-result', row.result) ?? result);
  }

  #stateOf({ own, finished, fresh, result }: RecordRow): ClaimState {
    if (!finished) return { state: own ? 'open' : 'foreign' };
    const mayRepeat = own && fresh && result !== null;
    return { state: 'done', result: mayRepeat ? this.keys.open('challenge-result', result) : null };
  }
}

function hashed({ kind, challenge, browser }: ChallengeOwner): OwnerValues {
  return { kind, challenge: fingerprint(challenge), browser: fingerprint(browser) };
}
