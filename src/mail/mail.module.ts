import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { MailCarrier } from './mail-carrier.port.js';
import { OutboxWorker } from './outbox-worker.js';
import { SmtpCarrier } from './smtp-carrier.js';

/** Sends queued mail. Without a mail server there is no worker and mails stay queued. */
@Module({})
export class MailModule {
  static with({ mail: { server, from } }: Pick<Config, 'mail'>): DynamicModule {
    if (!server) return { module: MailModule };
    return {
      module: MailModule,
      providers: [{ provide: MailCarrier, useFactory: () => new SmtpCarrier(server, from) }, OutboxWorker],
    };
  }
}
