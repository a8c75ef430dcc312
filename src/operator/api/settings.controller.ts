import { Controller, Get, Inject } from '@nestjs/common';
import { ENVIRONMENT } from '../../config/environment.js';
import { listSettings } from '../../config/settings-origins.js';
import type { Environment } from '../../config/settings-read.js';
import { OPERATOR_API } from '../wire.js';
import type { SettingsAnswer } from '../wire-installation.js';
import { Operation } from './rights.guard.js';

/** Lists the settings of the gateway that answers. They can be changed only in its environment. */
@Controller(`${OPERATOR_API}/settings`)
export class SettingsController {
  constructor(@Inject(ENVIRONMENT) private readonly env: Environment) {}

  /** Lists all settings with their values and origins. For a secret, only whether it is set is shown. */
  @Get()
  @Operation('settings.list')
  list(): SettingsAnswer {
    return { settings: listSettings(this.env) };
  }
}
