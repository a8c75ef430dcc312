/** `/manage/error/{code}` (MAN-6), which is shown without a session, too. */
import { Controller, Get, Param } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import { Public } from '../../gateway/security/access.guard.js';
import { ManageSessions } from '../../gateway/security/manage-sessions.port.js';
import { page, type Outcome } from '../../gateway/page/outcome.js';
import { CurrentRequestContext, type RequestContext } from '../../gateway/http/request-context.js';
import { cutText } from '../../config/cut-text.js';

const STATUSES: Readonly<Partial<Record<string, number>>> = { unauthorized: 401, page_not_found: 404 };
const MAX_CODE_LENGTH = 100;

@Public()
@Controller()
export class ManageErrorController {
  constructor(private readonly sessions: ManageSessions) {}

  @Get(`${PATHS.manageError}{:code}`)
  async show(
    @Param('code') codeParameter: string | undefined,
    @CurrentRequestContext() context: RequestContext,
  ): Promise<Outcome> {
    const code = cutText(codeParameter ?? '', MAX_CODE_LENGTH) || 'page_not_found';
    const session = await this.sessions.findByCookie(context);
    const manage_error = { code, ...(session ? { back_url: PATHS.manage } : {}) };
    return page(
      { page: 'manage_error', manage_error },
      {
        status: Object.hasOwn(STATUSES, code) ? (STATUSES[code] ?? 400) : 400,
        ...(session?.returnTo ? { returnTo: session.returnTo } : {}),
      },
    );
  }
}
