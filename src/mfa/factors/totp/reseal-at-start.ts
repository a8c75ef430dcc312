/**
 * Seals stored TOTP seeds with the newest secret after each start, in the background, and records in the audit log how many were
 * resealed or are lost.
 */
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOG } from '../../../config/log.token.js';
import { AuditLog } from '../../../accounts/audit/audit-log.js';
import { SeedResealer } from './seed-resealer.js';

@Injectable()
export class ResealAtStart implements OnApplicationBootstrap {
  constructor(
    private readonly seeds: SeedResealer,
    private readonly audit: AuditLog,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.#reseal().catch((err: unknown) =>
      this.log.warn({ err }, 'secrets of authenticator apps could not be encrypted with the newest secret'),
    );
  }

  async #reseal(): Promise<void> {
    const { resealed, lost } = await this.seeds.reseal();
    if (resealed + lost > 0) {
      await this.audit.record({ kind: 'secrets.rotated', actor: 'system', detail: { resealed, lost } });
    }
    if (resealed > 0) this.log.info({ resealed }, 'secrets of authenticator apps were encrypted with the newest secret');
    if (lost > 0)
      this.log.error(
        { lost },
        'secrets of authenticator apps are encrypted with a secret that SECRETS_SYSTEM does not list: add that secret again',
      );
  }
}
