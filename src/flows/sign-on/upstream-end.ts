/**
 * Ends at the upstream what has ended here. The own records decide already whether a remembered login goes on, so an
 * upstream that cannot be reached changes nothing about that and makes no step fail.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOG } from '../../gateway/log.js';
import { UpstreamError } from '../../hydra/hydra.errors.js';
import { HydraPort } from '../../hydra/hydra.port.js';

@Injectable()
export class UpstreamEnd {
  constructor(
    private readonly hydra: HydraPort,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  async sessionsOf(accountId: string, requestId: string): Promise<void> {
    await this.#tried(requestId, () => this.hydra.endLoginSessions(accountId));
  }

  /** Apps lose their tokens too: a refresh token would outlive everything else. */
  async everythingOf(accountId: string, requestId: string): Promise<void> {
    await this.sessionsOf(accountId, requestId);
    await this.#tried(requestId, () => this.hydra.revokeConsents(accountId));
  }

  async #tried(requestId: string, end: () => Promise<void>): Promise<void> {
    try {
      await end();
    } catch (error) {
      const reason = error instanceof UpstreamError ? { reason: error.message } : { err: error };
      this.log.warn({ requestId, ...reason }, 'the upstream ended nothing after a reset');
    }
  }
}
