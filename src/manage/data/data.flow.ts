/** The person's own data as a file, for the page and the RPC call. */
import { Injectable } from '@nestjs/common';
import { DataDownload } from '../../accounts/changes/data-download.js';
import { RequestLimits } from '../../accounts/limits/request-limits.js';
import type { OwnDataAnswer } from '../../contract/own-data.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { file, type Outcome, type PageOutcome } from '../../gateway/page/outcome.js';
import { ManageForms } from '../session/manage-forms.js';
import { ManagePages, toFailedOptions, toFailureState } from '../session/manage-pages.js';
import type { ManageContext, ManageRequest } from '../session/manage-session.js';
import { ProvenChange } from '../session/proven-change.js';
import { OwnData } from './own-data.js';

@Injectable()
export class DataFlow {
  constructor(
    private readonly pages: ManagePages,
    private readonly forms: ManageForms,
    private readonly provenChange: ProvenChange,
    private readonly data: OwnData,
    private readonly downloads: DataDownload,
    private readonly limits: RequestLimits,
  ) {}

  async show(request: ManageRequest): Promise<Outcome> {
    this.pages.requireFeature('data');
    const current = await this.pages.loadContext(request);
    await this.forms.requireProof(current);
    return this.#buildPage(current, null);
  }

  async download(request: ManageRequest): Promise<Outcome> {
    const current = await this.pages.loadContext(request);
    let data: OwnDataAnswer | undefined;
    const failure = await this.forms.submit(current, async () => void (data = await this.copy(current)));
    if (failure || !data) return this.#buildPage(current, failure);
    return file(`account-${current.account.id}.json`, data);
  }

  /** @throws CallFailed */
  async copy(current: ManageContext): Promise<OwnDataAnswer> {
    this.pages.requireFeature('data');
    const { account, auditContext } = current;
    return this.provenChange.run(current, async (manageSession) => {
      // Downloads are limited, because each one sends a mail.
      const wait = await this.limits.countOwn('data', account.id, auditContext);
      if (wait !== null) throw new CallFailed('too many requests', { retryAfterSeconds: wait });
      const data = await this.data.collect(current);
      await this.downloads.record(account.id, { ...auditContext, manageSession });
      return data;
    });
  }

  #buildPage(current: ManageContext, failure: CallFailed | null): PageOutcome {
    const content = { page: 'manage_data' as const, ...this.pages.frame(current), manage_data: toFailureState(failure) };
    return this.pages.page(current, content, toFailedOptions(failure));
  }
}
