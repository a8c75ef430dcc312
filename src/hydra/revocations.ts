/**
 * Ends at the upstream what has ended here. The own records decide already whether a remembered login goes on, so an
 * upstream that cannot be reached makes no step fail: what is left is tried again, at longer and longer intervals, until it
 * is done. Each session is ended by its id first: only then does Hydra tell the apps (OpenID Connect Back-Channel Logout),
 * and those that nobody is to remember it tells of nothing.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOG } from '../config/log.token.js';
import { RevocationQueue } from './revocation-queue.port.js';
import type { Revocation } from './revocation-queue.port.js';
import { UpstreamError } from './hydra.errors.js';
import { HydraPort } from './hydra.port.js';

const BATCH = 10;
/** Calls that are under way for one person. */
const CONCURRENCY = 4;
/** So often everything waits until apps can be told; then what they may do ends without a word to them. */
const PATIENT_TRIES = 3;

@Injectable()
export class Revocations {
  constructor(
    private readonly queue: RevocationQueue,
    private readonly hydra: HydraPort,
    @Inject(LOG) private readonly log: Pick<Logger, 'warn'>,
  ) {}

  /**
   * At once, after the transaction that wrote it; and before a login is accepted, which would end with what is late.
   * Never throws.
   * @returns whether nothing is left
   */
  async settle(accountId: string, requestId?: string): Promise<boolean> {
    try {
      const revocations = await this.queue.claimOf(accountId);
      const done = await Promise.all(revocations.map((purpose) => this.#try(purpose, requestId)));
      return done.every(Boolean);
    } catch (error) {
      this.log.warn({ requestId, err: error }, 'what has to end at the upstream could not be read; it is tried again');
      return false;
    }
  }

  /** What is due, until nothing is or the upstream does not answer. */
  async run(): Promise<void> {
    for (;;) {
      const revocations = await this.queue.claim(BATCH);
      const done = await Promise.all(revocations.map((purpose) => this.#try(purpose)));
      if (revocations.length < BATCH || !done.every(Boolean)) return;
    }
  }

  async #try(purpose: Revocation, requestId?: string): Promise<boolean> {
    const { queue, log } = this;
    try {
      await this.#perform(purpose);
      await queue.done(purpose);
      return true;
    } catch (error) {
      const { accountId, tries } = purpose;
      const reason = error instanceof UpstreamError ? { reason: error.message } : { err: error };
      log.warn({ requestId, account: accountId, tries, ...reason }, 'the upstream ended nothing; it is tried again');
      await queue.later(purpose);
      return false;
    }
  }

  async #perform(purpose: Revocation): Promise<void> {
    const { accountId, kind } = purpose;
    const { hydra } = this;
    if (kind === 'named') return this.#endById(purpose);
    await this.#endById(purpose).catch((error: unknown) => this.#endWithoutSession(purpose, error));
    // Those in which no app was ever given anything.
    await hydra.endLoginSessions(accountId);
    if (kind === 'everything') await hydra.revokeConsents(accountId);
  }

  async #endById({ accountId, kind, sessionIds }: Revocation): Promise<void> {
    const { hydra } = this;
    const known = kind === 'named' ? [] : await hydra.listSessionIds(accountId);
    const waiting = [...new Set([...sessionIds, ...known])];
    const endNext = async (): Promise<void> => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) await hydra.endLoginSession(id);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, endNext));
  }

  /** A list that cannot be read, as of consents to a client that is too large, must not save what is to be revoked. */
  #endWithoutSession({ accountId, tries }: Revocation, error: unknown): void {
    if (tries <= PATIENT_TRIES) throw error;
    this.log.warn({ account: accountId, tries, err: error }, 'apps cannot be told that sessions end; they end all the same');
  }
}
