/** The person's own data, as a file for the page and as the answer of the RPC call, and the terms that the person has accepted. */
import { Injectable } from '@nestjs/common';
import type { OwnDataAnswer } from '../../contract/own-data.js';
import { PATHS } from '../../contract/paths.js';
import type { CallFailed } from '../../gateway/http/calls.js';
import { file, redirect, type Outcome, type PageOutcome } from '../../gateway/page/outcome.js';
import { ManageForms } from '../session/manage-forms.js';
import { ManagePages, toFailedOptions, toFailureState } from '../session/manage-pages.js';
import type { ManageContext, ManageRequest } from '../session/manage-session.js';
import { DataCopy } from './data-copy.js';
import { OwnTerms } from './own-terms.js';

@Injectable()
export class DataFlow {
  constructor(
    private readonly pages: ManagePages,
    private readonly forms: ManageForms,
    private readonly dataCopy: DataCopy,
    private readonly terms: OwnTerms,
  ) {}

  async show(request: ManageRequest): Promise<Outcome> {
    this.pages.requireFeature('data');
    const manageContext = await this.pages.loadContext(request);
    await this.forms.requireProof(manageContext);
    return this.#buildPage(manageContext, null);
  }

  async download(request: ManageRequest): Promise<Outcome> {
    const manageContext = await this.pages.loadContext(request);
    let data: OwnDataAnswer | undefined;
    const failure = await this.forms.submit(manageContext, async () => void (data = await this.copy(manageContext)));
    if (failure || !data) return this.#buildPage(manageContext, failure);
    return file(`account-${manageContext.account.id}.json`, data);
  }

  /** @throws Fault if the installation does not offer the feature; the errors of `DataCopy.collect` */
  copy(manageContext: ManageContext): Promise<OwnDataAnswer> {
    this.pages.requireFeature('data');
    return this.dataCopy.collect(manageContext);
  }

  /** @param termsId id of the terms whose acceptance the person withdraws */
  async withdraw(termsId: string, request: ManageRequest): Promise<Outcome> {
    this.pages.requireFeature('data');
    const manageContext = await this.pages.loadContext(request);
    const failure = await this.forms.submit(manageContext, async () => void (await this.terms.withdraw(termsId, manageContext)));
    return failure ? this.#buildPage(manageContext, failure) : redirect(PATHS.manageData);
  }

  async #buildPage(manageContext: ManageContext, failure: CallFailed | null): Promise<PageOutcome> {
    const manage_data = { ...toFailureState(failure), terms: await this.terms.list(manageContext) };
    const content = { page: 'manage_data' as const, ...this.pages.buildFrame(manageContext), manage_data };
    return this.pages.buildPage(manageContext, content, toFailedOptions(failure));
  }
}
