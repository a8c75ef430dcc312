/** Records the start of the gateway, before the workers start, with an id of the secret that is used for sealing. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
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
    // A derived id shows a rotation in the audit log and reveals nothing about the secret.
    const secret = this.keys.mac('key-id', '').slice(0, 8);
    const detail = { mode: this.config.mode, secret, secrets: this.config.secrets.length };
    await this.audit.record({ kind: 'system.started', actor: 'system', detail });
  }
}
