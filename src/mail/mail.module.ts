import { Module, type DynamicModule } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { MailSender } from './mail-sender.port.js';
import { OutboxWorker } from './outbox-worker.js';
import { SmtpSender } from './smtp-sender.js';

/** Sends queued mail. Without a mail server in the settings there is no worker, and mails stay queued. */
@Module({})
export class MailModule {
  static register({ mail: { server, from } }: Pick<Config, 'mail'>): DynamicModule {
    if (!server) return { module: MailModule };
    return {
      module: MailModule,
      providers: [{ provide: MailSender, useFactory: () => new SmtpSender(server, from) }, OutboxWorker],
    };
  }
}
