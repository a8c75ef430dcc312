/** RPC calls that list the trusted browsers of an account and end the trust in them. */
import { Controller, Delete, Get, Param } from '@nestjs/common';
import { TrustedBrowsers } from '../../accounts/sessions/trusted-browsers.js';
import type { TrustedBrowserState } from '../../contract/manage-state.js';
import { PATHS } from '../../contract/paths.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { FreshProof } from '../session/fresh-proof.js';
import { ManagePages } from '../session/manage-pages.js';
import { CurrentManageRequest } from '../session/manage-session.js';
import type { ManageContext, ManageRequest } from '../session/manage-session.js';
import { trustedState } from '../session/trusted-state.js';

@RpcCall()
@Controller(`${PATHS.manageRpc}/trusted-browsers`)
export class TrustedBrowsersCallsController {
  constructor(
    private readonly pages: ManagePages,
    private readonly proof: FreshProof,
    private readonly trusted: TrustedBrowsers,
  ) {}

  @Get()
  async list(@CurrentManageRequest() request: ManageRequest): Promise<TrustedBrowserState[]> {
    const { account, context } = await this.#signedIn(request);
    return (await this.trusted.list(account.id, context.trusted)).map(trustedState);
  }

  @Delete()
  async endAll(@CurrentManageRequest() request: ManageRequest): Promise<object> {
    const { account, by } = await this.#signedIn(request);
    await this.trusted.end(account.id, null, by);
    return {};
  }

  @Delete(':id')
  async end(@Param('id') id: string, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    const { account, by } = await this.#signedIn(request);
    if ((await this.trusted.end(account.id, id, by)) === 0) throw new CallFailed('page_not_found');
    return {};
  }

  /** @throws ProofRequired */
  async #signedIn(request: ManageRequest): Promise<ManageContext> {
    const current = await this.pages.current(request);
    await this.proof.requireSignIn(current);
    return current;
  }
}
