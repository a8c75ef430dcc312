/** RPC calls that list the trusted browsers of an account and end the trust in them. */
import { Controller, Delete, Get, Param } from '@nestjs/common';
import type { TrustedBrowserState } from '../../contract/manage-state.js';
import { PATHS } from '../../contract/paths.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { ManagePages } from '../session/manage-pages.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { OwnTrustedBrowsers } from '../session/own-trusted-browsers.js';

@RpcCall()
@Controller(`${PATHS.manageRpc}/trusted-browsers`)
export class TrustedBrowsersCallsController {
  constructor(
    private readonly pages: ManagePages,
    private readonly trustedBrowsers: OwnTrustedBrowsers,
  ) {}

  @Get()
  async list(@CurrentManageRequest() request: ManageRequest): Promise<TrustedBrowserState[]> {
    return this.trustedBrowsers.list(await this.pages.loadContext(request));
  }

  @Delete()
  async endAll(@CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.trustedBrowsers.end(null, await this.pages.loadContext(request));
    return {};
  }

  @Delete(':id')
  async end(@Param('id') id: string, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    if ((await this.trustedBrowsers.end(id, await this.pages.loadContext(request))) === 0) throw new CallFailed('page_not_found');
    return {};
  }
}
