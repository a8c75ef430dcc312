/** The routes of a device: the form for its code, and the results. */
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { IsString } from 'class-validator';
import { FIELDS, MANAGE_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { Challenge, OptionalText, ReadAs } from '../../gateway/http/form-fields.decorators.js';
import { CurrentRequestContext, type RequestContext } from '../../gateway/http/request-context.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { Public, AcceptsOutdatedForm } from '../../gateway/security/access.guard.js';
import { DeviceEndFlow } from './device-end.flow.js';
import { DeviceFlow } from './device.flow.js';

const MAX_CODE_LENGTH = 200;

class DeviceQuery {
  @Challenge()
  [FIELDS.deviceChallenge] = '';

  /** The code in the address that a device shows as a QR code; empty if it is too long or not a string. */
  @ReadAs((value) => (typeof value === 'string' && value.length <= MAX_CODE_LENGTH ? value : ''))
  @IsString()
  [FIELDS.userCode] = '';
}

class DeviceForm {
  @Challenge()
  [FIELDS.deviceChallenge] = '';

  @OptionalText(MAX_CODE_LENGTH)
  [FIELDS.userCode]?: string;
}

class DeviceEndQuery {
  /** Hydra sends the id through the browser, so anybody can choose it. */
  @ReadAs((value) => (typeof value === 'string' && /^[^\0]{1,200}$/.test(value) ? value : ''))
  @IsString()
  client_id = '';

  @OptionalText(100)
  [MANAGE_QUERY.status]?: string;
}

@Public()
@Controller()
export class DeviceController {
  constructor(
    private readonly flow: DeviceFlow,
    private readonly end: DeviceEndFlow,
  ) {}

  @Get(PATHS.device)
  show(@Query() query: DeviceQuery, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.start(query.device_challenge, query.user_code, context);
  }

  /** An outdated form is shown again, with its code. */
  @Post(PATHS.device)
  @AcceptsOutdatedForm()
  submit(@Body() form: DeviceForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    const { device_challenge: challenge, user_code: enteredCode = '' } = form;
    return context.xsrf === null
      ? this.flow.start(challenge, enteredCode, context)
      : this.flow.submit(challenge, enteredCode, context);
  }

  @Get(PATHS.deviceSuccess)
  showSuccess(@Query() query: DeviceEndQuery, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.end.showSuccess(query.client_id, context);
  }

  @Get(PATHS.deviceDenied)
  showDenial(@Query() query: DeviceEndQuery): Outcome {
    return this.end.showDenial(query.status);
  }
}
