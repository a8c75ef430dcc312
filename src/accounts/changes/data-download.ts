/**
 * Records that a person gets a copy of their own data, and notifies the owner, because a copy cannot be taken back from the wrong
 * person.
 */
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { AuditLog } from '../audit/audit-log.js';
import { Outbox } from '../queue/outbox.js';
import { AccountDisabled } from '../account/account.errors.js';
import { requireNotFrozen } from '../account/credential-freeze.js';
import { lockActive, type OwnChange } from '../account/lock.js';

@Injectable()
export class DataDownload {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
  ) {}

  /** Must run before the person gets the copy. @throws AccountDisabled, CredentialsFrozen, ChangeRefused */
  async record(accountId: string, { manageSession, ...auditContext }: OwnChange): Promise<void> {
    const { database, audit, outbox } = this;
    await database.transaction(async (trx) => {
      if (!(await lockActive(accountId, trx))) throw new AccountDisabled();
      await manageSession.require(trx);
      await requireNotFrozen({ accountId, now: database.now() }, trx);
      await audit.record({ ...auditContext, kind: 'data.downloaded', accountId }, trx);
      await outbox.queueNotice({ kind: 'data-downloaded', accountId, auditContext }, trx);
    });
  }
}
