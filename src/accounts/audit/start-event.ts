/** Says that the installation has started, before any worker does, and with which secret it seals. */
import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { Keys } from '../../config/keys.js';
import { AuditLog } from './audit-log.js';

@Injectable()
export class StartEvent implements OnModuleInit {
  constructor(
    private readonly audit: AuditLog,
    private readonly keys: Keys,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mode' | 'secrets'>,
  ) {}

  async onModuleInit(): Promise<void> {
    // Under a name that tells nothing of the secret, so that a rotation shows in the audit log.
    const secret = this.keys.mac('key-id', '').slice(0, 8);
    const detail = { mode: this.config.mode, secret, secrets: this.config.secrets.length };
    await this.audit.record({ kind: 'system.started', actor: 'system', detail });
  }
}
