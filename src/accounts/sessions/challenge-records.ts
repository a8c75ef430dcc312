/**
 * One record for each consent, logout and device challenge of Hydra, written when a browser opens it first; `sign-in-records.ts` has those
 * of logins. Hydra's challenges can be reused and work for everybody who sees the address (docs/security.md D11). The record says
 * which browser works on a challenge and the result, so that a double click, Back, a second tab or a second browser end in one
 * result at most.
 *
 * A record counts until the cleanup deletes it: an expired record still prevents reuse of the challenge.
 */
import { Injectable } from '@nestjs/common';
import { fingerprint, Keys } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import { AuditLog, eventValues, type AuditEvent } from '../audit/audit-log.js';
import { CLAIM, FINISH, PEEK, type OwnerValues, type RecordRow } from './challenge-record-statements.js';

export interface ChallengeOwner {
  kind: 'consent' | 'logout' | 'device';
  challenge: string;
  browser: string;
}

export type ClaimState =
  | { state: 'new' | 'open' | 'foreign' }
  /** `result`: for the browser that was answered just now (double click). */
  | { state: 'done'; result: string | null };

export interface FinishedChallenge {
  /** The first one that was stored. */
  result: string;
  /** It was stored by this call; an equal result of another call is not its own. */
  isOwn: boolean;
}

/** `finish` was called by a browser that has not claimed the challenge. */
export class ChallengeNotClaimed extends Error {
  constructor() {
    super('This challenge was not claimed by this browser.');
    this.name = 'ChallengeNotClaimed';
  }
}

@Injectable()
export class ChallengeRecords {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
    private readonly audit: AuditLog,
  ) {}

  /** Writes nothing. */
  async peek(owner: ChallengeOwner): Promise<ClaimState> {
    return this.toState((await this.database.run(PEEK, hashOwner(owner)))[0]);
  }

  /**
   * The first browser gets the challenge and the state `new`.
   * @param lifetime in seconds; at least as long as Hydra accepts the challenge
   */
  async claim(owner: ChallengeOwner, lifetime: number): Promise<ClaimState> {
    return this.toState((await this.database.run(CLAIM, { ...hashOwner(owner), lifetime }))[0]);
  }

  /**
   * @param event recorded in the audit log if this is the first result
   * @returns the first result that was stored, and whether it is this one. @throws ChallengeNotClaimed
   */
  async finish(owner: ChallengeOwner, result: string, event: AuditEvent | null = null): Promise<FinishedChallenge> {
    const finished = await this.finishWith(result, async (sealed) => {
      return (await this.database.run(FINISH, { ...hashOwner(owner), ...eventValues(event), result: sealed }))[0];
    });
    if (finished.isOwn && event) this.audit.count(event);
    return finished;
  }

  /**
   * @param run runs a statement with `finishRecordSql` in it, with the sealed result
   * @returns the first result that was stored, and whether it is this one. @throws ChallengeNotClaimed
   */
  async finishWith(result: string, run: (sealed: string) => Promise<{ result: string } | undefined>): Promise<FinishedChallenge> {
    const sealed = this.keys.seal('challenge-result', result);
    const row = await run(sealed);
    if (!row) throw new ChallengeNotClaimed();
    if (row.result === sealed) return { result, isOwn: true };
    return { result: this.keys.open('challenge-result', row.result) ?? result, isOwn: false };
  }

  /** The state that a row says; without a row the challenge has no record. */
  toState(row: RecordRow | null | undefined): ClaimState {
    if (!row || row.inserted) return { state: 'new' };
    if (row.finished) return { state: 'done', result: row.own && row.fresh ? this.#open(row.result) : null };
    return { state: row.own ? 'open' : 'foreign' };
  }

  #open(sealed: string | null): string | null {
    return sealed === null ? null : this.keys.open('challenge-result', sealed);
  }
}

export function hashOwner({ kind, challenge, browser }: ChallengeOwner): OwnerValues {
  return { kind, challenge: fingerprint(challenge), browser: fingerprint(browser) };
}
