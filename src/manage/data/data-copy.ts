/** Collects the data of a person for the person: with a fresh proof, a limit, a mail and an event. */
import { Injectable } from '@nestjs/common';
import { DataDownload } from '../../accounts/changes/data-download.js';
import { RequestLimits } from '../../accounts/limits/request-limits.js';
import type { OwnDataAnswer } from '../../contract/own-data.js';
import { CallFailed } from '../../gateway/http/calls.js';
import type { ManageContext } from '../session/manage-session.js';
import { ProvenChange } from '../session/proven-change.js';
import { OwnData } from './own-data.js';

@Injectable()
export class DataCopy {
  constructor(
    private readonly provenChange: ProvenChange,
    private readonly data: OwnData,
    private readonly downloads: DataDownload,
    private readonly limits: RequestLimits,
  ) {}

  /** @throws ProofRequired, CallFailed, AccountDisabled; UpstreamError if a call to Hydra fails */
  async collect(manageContext: ManageContext): Promise<OwnDataAnswer> {
    const { account, auditContext } = manageContext;
    return this.provenChange.run(manageContext, async (manageSession) => {
      // Downloads are limited, because each one sends a mail.
      const retryAfterSeconds = await this.limits.countOwn('data', account.id, auditContext);
      if (retryAfterSeconds !== null) throw new CallFailed('too many requests', { retryAfterSeconds });
      const data = await this.data.collect(manageContext);
      await this.downloads.record(account.id, { ...auditContext, manageSession });
      return data;
    });
  }
}
