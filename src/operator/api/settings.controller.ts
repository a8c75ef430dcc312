import { Controller, Get, Inject } from '@nestjs/common';
import { ENVIRONMENT } from '../../config/environment.js';
import { listSettings } from '../../config/settings-origins.js';
import type { Environment } from '../../config/settings-read.js';
import { OPERATOR_API } from '../wire.js';
import type { SettingsAnswer } from '../wire-installation.js';
import { Operation } from './rights.guard.js';

/** The settings of the gateway that answers; they are changed in its environment only. */
@Controller(`${OPERATOR_API}/settings`)
export class SettingsController {
  constructor(@Inject(ENVIRONMENT) private readonly env: Environment) {}

  /** Lists all settings with their values and where each comes from. Of a secret only whether it is set. */
  @Get()
  @Operation('settings.list')
  list(): SettingsAnswer {
    return { settings: listSettings(this.env) };
  }
}
