/** `/manage/error/{code}` (MAN-6): for everybody, also for who is not in the area. */
import { Controller, Get, Param } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import { Public } from '../../gateway/security/access.guard.js';
import { AreaSessions } from '../../gateway/security/manage-sessions.port.js';
import { page } from '../../gateway/page/outcome.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { CurrentVisit } from '../../gateway/http/request-context.js';
import type { Visit } from '../../gateway/http/request-context.js';

const STATUSES: Readonly<Partial<Record<string, number>>> = { unauthorized: 401, page_not_found: 404 };
const LONGEST_CODE = 100;

@Public()
@Controller()
export class AreaErrorController {
  constructor(private readonly sessions: AreaSessions) {}

  @Get(`${PATHS.manageError}{:code}`)
  async show(@Param('code') given: string | undefined, @CurrentVisit() visit: Visit): Promise<Outcome> {
    const code = (given ?? '').slice(0, LONGEST_CODE) || 'page_not_found';
    const visitor = await this.sessions.findByCookie(visit);
    const manage_error = { code, ...(visitor ? { back_url: PATHS.manage } : {}) };
    return page(
      { page: 'manage_error', manage_error },
      {
        status: Object.hasOwn(STATUSES, code) ? (STATUSES[code] ?? 400) : 400,
        ...(visitor?.returnTo ? { returnTo: visitor.returnTo } : {}),
      },
    );
  }
}
