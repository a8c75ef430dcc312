/**
 * Mails a code of six digits (`mailed-code.ts`). Nothing is sent for an account that is not active, and nothing without a recipient: the
 * mail specifies one, or the account has an address.
 */
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { lockActive, type SessionCondition } from '../account/lock.js';
import { Outbox, type RequestedMail } from '../queue/outbox.js';
import { MAILED_CODE_SECONDS } from './mailed-code.js';
import { OneTimeSecrets, type OneTimeSlot } from './one-time-secrets.js';

interface StoredCode {
  slot: OneTimeSlot;
  /** Keyed MAC of the code. */
  secret: string;
  payload?: string;
  manageSession?: SessionCondition | undefined;
}

@Injectable()
export class SendCode {
  constructor(
    private readonly database: Database,
    private readonly secrets: OneTimeSecrets,
    private readonly outbox: Outbox,
  ) {}

  /** Only the newest code of the slot works. @throws the errors of `manageSession.require` */
  async send(
    { slot, manageSession, ...code }: StoredCode,
    mail: Pick<RequestedMail, 'kind' | 'values' | 'recipient' | 'auditContext'>,
  ): Promise<void> {
    const { accountId } = slot;
    await this.database.transaction(async (trx) => {
      if (!(await lockActive(accountId, trx))) return;
      await manageSession?.require(trx);
      await this.secrets.discard(slot, trx);
      const newSecret = { ...slot, ...code, lifetimeSeconds: MAILED_CODE_SECONDS };
      const { expiresAt } = await this.secrets.issueWithExpiry(newSecret, trx);
      await this.outbox.queueRequested({ ...mail, accountId, expiresAt }, trx);
    });
  }
}
