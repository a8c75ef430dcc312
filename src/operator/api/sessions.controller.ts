/** Lists and ends the active sessions of an account. */
import { Controller, Delete, Get, Param } from '@nestjs/common';
import { AccountSessions } from '../../accounts/sessions/account-sessions.js';
import { toSessionAnswer } from './answers.js';
import { CurrentOperatorContext, type OperatorContext } from './operator-context.js';
import { EndAccess } from './end-access.js';
import { AccountLookup } from './account-lookup.js';
import { Operation } from './rights.guard.js';
import { OPERATOR_API } from '../wire.js';
import type { SessionListAnswer, SessionsAnswer } from '../wire-sessions.js';

@Controller(`${OPERATOR_API}/accounts/:id/sessions`)
export class SessionsController {
  constructor(
    private readonly lookup: AccountLookup,
    private readonly sessions: AccountSessions,
    private readonly endAccess: EndAccess,
  ) {}

  /**
   * Lists the active sessions of an account, newest first.
   * @throws 404 account_not_found
   */
  @Get()
  @Operation('sessions.list')
  async list(@Param('id') id: string): Promise<SessionListAnswer> {
    const account = await this.lookup.get(id);
    return { sessions: (await this.sessions.list(account.id)).map(toSessionAnswer) };
  }

  /**
   * Ends all sessions of an account. Access tokens that apps hold stay valid until they expire.
   * @throws 404 account_not_found
   */
  @Delete()
  @Operation('sessions.endAll')
  async endAll(@Param('id') id: string, @CurrentOperatorContext() context: OperatorContext): Promise<SessionsAnswer> {
    return this.endAccess.endSessions(await this.lookup.get(id), context);
  }

  /**
   * Ends one session. The end of a sign-in also ends the session of the account area in the same browser.
   * @throws 404 account_not_found session_not_found
   */
  @Delete(':session')
  @Operation('sessions.endOne')
  async endOne(
    @Param('id') id: string,
    @Param('session') session: string,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<SessionsAnswer> {
    return this.endAccess.endSession(await this.lookup.get(id), session, context);
  }
}
