/** Lists operators, grants and revokes their rights, and lists and ends their sessions in the console. */
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { OperatorGrants } from '../../accounts/operators/operator-grants.js';
import { OperatorSessions } from '../../accounts/operators/operator-sessions.js';
import { AccountNotFound } from '../../accounts/account/account.errors.js';
import type { OperatorRights } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { GrantBody, OperatorListQuery } from './account-bodies.js';
import { AccountLookup } from './account-lookup.js';
import { ApprovalGate } from './approval-gate.js';
import { toOperatorAnswer, toOperatorSessionAnswer } from './answers.js';
import { findRight, GrantRight } from './grant-right.js';
import { CurrentOperatorContext, CurrentRights, type OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import { Operation } from './rights.guard.js';
import { mayDo } from '../operations.js';
import { OPERATOR_API } from '../wire.js';
import type {
  OperatorAnswer,
  OperatorListAnswer,
  OperatorSessionEndedAnswer,
  OperatorSessionListAnswer,
} from '../wire-operators.js';

@Controller(OPERATOR_API)
export class OperatorsController {
  constructor(
    private readonly lookup: AccountLookup,
    private readonly gate: ApprovalGate,
    private readonly grantRight: GrantRight,
    private readonly grants: OperatorGrants,
    private readonly operatorSessions: OperatorSessions,
  ) {}

  /**
   * Lists the accounts that are operators through a granted right or a group (OPERATORS), ordered by username. Accounts that are operators
   * only through an attribute are not listed.
   * @throws 400 wrong_type
   */
  @Get('operators')
  @Operation('operators.list')
  async list(@Query() { cursor, limit }: OperatorListQuery): Promise<OperatorListAnswer> {
    const lastKey = cursor === undefined ? undefined : parseCursor(cursor);
    const page = await this.grants.list({
      ...defined({ after: lastKey }),
      ...(limit === undefined ? {} : { limit: Number(limit) }),
    });
    return {
      operators: page.operators.map(toOperatorAnswer),
      ...(page.next === undefined ? {} : { next_cursor: toCursor(page.next) }),
    };
  }

  /**
   * Shows the operator rights of an account, through grants, groups and attributes. The list is empty for an account without such rights;
   * operators who may not see accounts then receive 404.
   * @throws 404 account_not_found
   */
  @Get('accounts/:id/operator-rights')
  @Operation('operators.show')
  async show(@Param('id') id: string, @CurrentRights() rights: readonly OperatorRights[]): Promise<OperatorAnswer> {
    const operator = await this.grantRight.answer((await this.lookup.get(id)).id);
    if (operator.rights.length === 0 && !mayDo(rights, 'accounts.show')) throw new AccountNotFound();
    return operator;
  }

  /**
   * Grants an operator right to an account, with or without an end. Granting it again replaces the end.
   * @throws 400 wrong_type, 404 account_not_found, 409 account_disabled password_handed_out, 422 past unknown_right
   */
  @Post('accounts/:id/operator-rights')
  @Operation('operators.grant')
  @HttpCode(200)
  async grant(
    @Param('id') id: string,
    @Body() body: GrantBody,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<OperatorAnswer> {
    const account = await this.lookup.get(id);
    return this.gate.run({ operation: 'operators.grant', account, body }, context);
  }

  /**
   * Revokes a right that was granted to an account. The revocation takes effect at the operator's next call.
   * @throws 404 account_not_found right_not_found
   */
  @Delete('accounts/:id/operator-rights/:right')
  @Operation('operators.revoke')
  async revoke(
    @Param('id') id: string,
    @Param('right') name: string,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<OperatorAnswer> {
    const { id: accountId } = await this.lookup.get(id);
    const right = findRight(name);
    if (right && (await this.grants.revoke({ accountId, right }, context))) return this.grantRight.answer(accountId);
    const message = 'This right was not granted to the account; a right through OPERATORS ends with the group or attribute.';
    throw new OperatorFault(404, 'right_not_found', message);
  }

  /** Lists the sessions of operators in the console, newest first, at most 200. */
  @Get('operator-sessions')
  @Operation('operators.sessions')
  async sessions(): Promise<OperatorSessionListAnswer> {
    return { sessions: (await this.operatorSessions.list()).map(toOperatorSessionAnswer) };
  }

  /**
   * Ends a session of an operator in the console. The operator may sign in again: revoke the rights to prevent that.
   * @throws 404 session_not_found
   */
  @Delete('operator-sessions/:session')
  @Operation('operators.endSession')
  async endSession(
    @Param('session') session: string,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<OperatorSessionEndedAnswer> {
    if (await this.operatorSessions.endById(session, context)) return { ended: 1 };
    throw new OperatorFault(404, 'session_not_found', 'There is no operator session with this id.');
  }
}

/** A username may contain any letters, so it is encoded. */
function toCursor(key: string): string {
  return Buffer.from(key).toString('base64url');
}

/** @throws OperatorFault 400 */
function parseCursor(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString();
  // PostgreSQL rejects NUL.
  if (toCursor(key) === cursor && !key.includes('\u0000')) return key;
  throw new OperatorFault(400, 'wrong_type', 'cursor must be the next_cursor of an answer.', { field: 'cursor' });
}
