import { Body, Controller, Get, Post } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { InManageSession } from '../../gateway/security/access.guard.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { DevicesFlow } from './devices.flow.js';

class DeviceForm {
  @OptionalText(100)
  [FIELDS.key]?: string;
}

@InManageSession()
@Controller()
export class DevicesController {
  constructor(private readonly flow: DevicesFlow) {}

  /** The form address also shows the page, for a reload after an error. */
  @Get([PATHS.manageDevices, PATHS.manageDeviceTrust])
  show(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.show(request);
  }

  @Post(PATHS.manageDeviceTrust)
  endTrust(@Body() { key = '' }: DeviceForm, @CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.endTrust(key, request);
  }

  @Post(PATHS.manageDevices)
  end(@Body() { key = '' }: DeviceForm, @CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.end(key, request);
  }
}
