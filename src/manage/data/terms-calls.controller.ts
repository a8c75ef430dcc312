/** RPC calls that list the terms that the person has accepted, and withdraw the acceptance. */
import { Controller, Delete, Get, Param } from '@nestjs/common';
import type { AcceptedTermsState } from '../../contract/manage-data-state.js';
import { PATHS } from '../../contract/paths.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { FreshProof } from '../session/fresh-proof.js';
import { ManagePages } from '../session/manage-pages.js';
import { CurrentManageRequest, type ManageContext, type ManageRequest } from '../session/manage-session.js';
import { OwnTerms } from './own-terms.js';

/** Other ids do not reach the database, which refuses some characters. */
const TERMS_ID = /^[a-z0-9-]{1,40}$/;

@RpcCall()
@Controller(`${PATHS.manageRpc}/terms`)
export class TermsCallsController {
  constructor(
    private readonly pages: ManagePages,
    private readonly proof: FreshProof,
    private readonly terms: OwnTerms,
  ) {}

  @Get()
  async list(@CurrentManageRequest() request: ManageRequest): Promise<AcceptedTermsState[]> {
    const manageContext = await this.#loadContext(request);
    await this.proof.require(manageContext);
    return this.terms.list(manageContext);
  }

  @Delete(':id')
  async withdraw(@Param('id') id: string, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    const manageContext = await this.#loadContext(request);
    // The proof is required for an unknown id too.
    const isWithdrawn = await this.terms.withdraw(TERMS_ID.test(id) ? id : '', manageContext);
    if (!isWithdrawn) throw new CallFailed('page_not_found');
    return {};
  }

  /** The terms belong to the feature `data`, like the page that shows them. */
  #loadContext(request: ManageRequest): Promise<ManageContext> {
    this.pages.requireFeature('data');
    return this.pages.loadContext(request);
  }
}
