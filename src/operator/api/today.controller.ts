import { Controller, Get } from '@nestjs/common';
import { OPERATOR_API } from '../wire.js';
import type { TodayAnswer } from '../wire-today.js';
import type { OperatorRights } from '../../config/config.js';
import { CurrentRights } from './operator-context.js';
import { Operation } from './rights.guard.js';
import { TodayRows } from './today-rows.js';

/** Shows what may need attention today, within the rights of the operator. */
@Controller(`${OPERATOR_API}/today`)
export class TodayController {
  constructor(private readonly rows: TodayRows) {}

  /** Shows what may need attention. Each row is shown only with the rights for the list to which it leads. */
  @Get()
  @Operation('today.show')
  async show(@CurrentRights() rights: readonly OperatorRights[]): Promise<TodayAnswer> {
    return { rows: await this.rows.find(rights) };
  }
}
