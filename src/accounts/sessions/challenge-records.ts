/**
 * The records of consents and device challenges. The record of a consent is written when a form is submitted, and belongs to a flow of
 * Hydra, which may have several challenges; the record of a device challenge is usually written when a browser first opens the challenge.
 * `sign-in-records.ts` has the records of login challenges. A challenge can be reused, and works for anybody who sees its address
 * (docs/security.md D11). The record stores which browser has the challenge and its result, so that a double click, Back, a second tab
 * or a second browser lead to at most one result.
 *
 * A record is in effect until the cleanup deletes it: even an expired record prevents reuse of the challenge.
 */
import { Injectable } from '@nestjs/common';
import { fingerprint, Keys } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import { AuditLog, toEventValues, type AuditEvent } from '../audit/audit-log.js';
import { CLAIM, FINISH, PEEK, type OwnerValues, type RecordRow } from './challenge-record-statements.js';

export interface ChallengeOwner {
  kind: 'consent' | 'logout' | 'device';
  challenge: string;
  browser: string;
}

export type ClaimState =
  | { state: 'new' | 'open' | 'foreign' }
  /** `result`: set only for the browser that received the answer a moment ago (double click). */
  | { state: 'done'; result: string | null };

export interface FinishedChallenge {
  /** The result that was stored first. */
  result: string;
  /** Whether this call stored the result. Also false if another call has stored an equal result. */
  isOwn: boolean;
}

/** `finish` was called by a browser that has not claimed the challenge. */
export class ChallengeNotClaimed extends Error {
  constructor() {
    super('This browser has not claimed this challenge.');
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

  /** Finds the state of a challenge without claiming it. */
  async peek(owner: ChallengeOwner): Promise<ClaimState> {
    return this.toState((await this.database.run(PEEK, hashOwner(owner)))[0]);
  }

  /**
   * The first browser gets the challenge and the state `new`.
   * @param lifetimeSeconds at least as long as Hydra accepts the challenge
   */
  async claim(owner: ChallengeOwner, lifetimeSeconds: number): Promise<ClaimState> {
    return this.toState((await this.database.run(CLAIM, { ...hashOwner(owner), lifetimeSeconds }))[0]);
  }

  /**
   * @param event recorded in the audit log if this is the first result
   * @returns the result that was stored first, and whether this call stored it @throws ChallengeNotClaimed
   */
  async finish(owner: ChallengeOwner, result: string, event: AuditEvent | null = null): Promise<FinishedChallenge> {
    const finishedChallenge = await this.finishWith(result, async (sealedResult) => {
      return (await this.database.run(FINISH, { ...hashOwner(owner), ...toEventValues(event), result: sealedResult }))[0];
    });
    if (finishedChallenge.isOwn && event) this.audit.count(event);
    return finishedChallenge;
  }

  /**
   * @param run runs a statement that contains `finishRecordSql`, with the sealed result
   * @returns the result that was stored first, and whether this call stored it @throws ChallengeNotClaimed
   */
  async finishWith(
    result: string,
    run: (sealedResult: string) => Promise<{ result: string } | undefined>,
  ): Promise<FinishedChallenge> {
    const sealedResult = this.keys.seal('challenge-result', result);
    const row = await run(sealedResult);
    if (!row) throw new ChallengeNotClaimed();
    if (row.result === sealedResult) return { result, isOwn: true };
    return { result: this.keys.open('challenge-result', row.result) ?? result, isOwn: false };
  }

  /** @param row absent if the challenge has no record */
  toState(row: RecordRow | null | undefined): ClaimState {
    if (!row || row.inserted) return { state: 'new' };
    if (row.finished) return { state: 'done', result: row.own && row.fresh ? this.#open(row.result) : null };
    return { state: row.own ? 'open' : 'foreign' };
  }

  #open(sealedResult: string | null): string | null {
    return sealedResult === null ? null : this.keys.open('challenge-result', sealedResult);
  }
}

export function hashOwner({ kind, challenge, browser }: ChallengeOwner): OwnerValues {
  return { kind, challenge: fingerprint(challenge), browser: fingerprint(browser) };
}
