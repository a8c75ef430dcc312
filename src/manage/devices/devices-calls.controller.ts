/** RPC calls that list the browsers in which the person is signed in, and sign out there. */
import { Controller, Delete, Get, Param } from '@nestjs/common';
import type { DeviceState } from '../../contract/manage-state.js';
import { PATHS } from '../../contract/paths.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { ManagePages } from '../session/manage-pages.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { OwnDevices } from './own-devices.js';

@RpcCall()
@Controller(`${PATHS.manageRpc}/devices`)
export class DevicesCallsController {
  constructor(
    private readonly pages: ManagePages,
    private readonly devices: OwnDevices,
  ) {}

  @Get()
  async list(@CurrentManageRequest() request: ManageRequest): Promise<DeviceState[]> {
    return this.devices.list(await this.pages.loadContext(request));
  }

  @Delete()
  async endOthers(@CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.devices.signOut(null, await this.pages.loadContext(request));
    return {};
  }

  @Delete(':id')
  async end(@Param('id') id: string, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    if ((await this.devices.signOut(id, await this.pages.loadContext(request))) === 0) throw new CallFailed('page_not_found');
    return {};
  }
}
