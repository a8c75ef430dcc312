/** Lists and decides the operations that wait for a second operator. */
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { OperatorApprovals, type Approval } from '../../accounts/operators/operator-approvals.js';
import type { OperatorRights } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { mayDo, OPERATIONS, type OperationId } from '../operations.js';
import { OPERATOR_API } from '../wire.js';
import type { ApprovalAnswer, ApprovalListAnswer, ApprovedAnswer } from '../wire-approvals.js';
import { ApprovalListQuery, NoMembers } from './account-bodies.js';
import { AccountLookup } from './account-lookup.js';
import { EXPORT } from './approval-gate.js';
import { toApprovalAnswer } from './approval-answers.js';
import { HeldOperations } from './held-operations.js';
import { CurrentOperator, CurrentOperatorContext, type CallingOperator, type OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import { Operation } from './rights.guard.js';

@Controller(`${OPERATOR_API}/approvals`)
export class ApprovalsController {
  constructor(
    private readonly approvals: OperatorApprovals,
    private readonly operations: HeldOperations,
    private readonly lookup: AccountLookup,
  ) {}

  /**
   * Lists the operations that wait for a second operator, or have waited in the last 30 days. Open ones come first, then the others, each
   * newest first.
   * @throws 400 wrong_type
   */
  @Get()
  @Operation('approvals.list')
  async list(
    @Query() { cursor, limit }: ApprovalListQuery,
    @CurrentOperatorContext() auditContext: OperatorContext,
  ): Promise<ApprovalListAnswer> {
    const page = await this.approvals.list({ after: cursor, ...(limit === undefined ? {} : { limit: Number(limit) }) });
    return {
      approvals: page.approvals.map((approval) => this.#answer(approval, auditContext)),
      ...defined({ next_cursor: page.next }),
    };
  }

  /**
   * Shows an operation that waits, or has waited, for a second operator.
   * @throws 404 approval_not_found
   */
  @Get(':approval')
  @Operation('approvals.show')
  async show(@Param('approval') id: string, @CurrentOperatorContext() auditContext: OperatorContext): Promise<ApprovalAnswer> {
    return this.#answer(await this.approvals.get(id), auditContext);
  }

  /**
   * Approves an operation, which is then done immediately, exactly as requested. Neither the operator who requested it nor the owner of
   * the account may approve it. An operation that a token requested needs two operators, or another token with
   * `OPERATOR_APPROVAL=operators-and-tokens`. An approved export can be run once, within 24 hours, by the operator or token that
   * requested it.
   * @throws 403 own_approval own_account approver_unknown, 404 approval_not_found account_not_found factor_not_found person_not_found, 409 approval_decided approval_expired approval_outdated approval_too_early asker_without_right account_disabled credentials_frozen email_is_factor email_taken has_source password_elsewhere password_handed_out person_linked provider_connected, 422 past unknown_source, 503 source_unavailable
   */
  @Post(':approval/approve')
  @Operation('approvals.approve')
  @HttpCode(200)
  async approve(
    @Param('approval') id: string,
    @Body() _: NoMembers,
    @CurrentOperator() { auditContext, rights }: CallingOperator,
  ): Promise<ApprovedAnswer> {
    const approval = await this.approvals.get(id);
    requireRights(rights, approval);
    const result = await this.#approve(approval, auditContext);
    return { approval: this.#answer(await this.approvals.get(id), auditContext), result };
  }

  /**
   * Rejects an operation, which is then not done.
   * @throws 403 own_approval, 404 approval_not_found, 409 approval_decided approval_expired
   */
  @Post(':approval/reject')
  @Operation('approvals.reject')
  @HttpCode(200)
  async reject(
    @Param('approval') id: string,
    @Body() _: NoMembers,
    @CurrentOperator() { auditContext, rights }: CallingOperator,
  ): Promise<ApprovalAnswer> {
    requireRights(rights, await this.approvals.get(id));
    await this.approvals.reject(id, auditContext);
    return this.#answer(await this.approvals.get(id), auditContext);
  }

  /**
   * Withdraws an operation that waits. Only the operator or token that requested it may withdraw it.
   * @throws 403 not_own_approval, 404 approval_not_found, 409 approval_decided approval_expired
   */
  @Delete(':approval')
  @Operation('approvals.withdraw')
  async withdraw(
    @Param('approval') id: string,
    @CurrentOperatorContext() auditContext: OperatorContext,
  ): Promise<ApprovalAnswer> {
    await this.approvals.withdraw(id, auditContext);
    return this.#answer(await this.approvals.get(id), auditContext);
  }

  async #approve(approval: Approval, auditContext: OperatorContext): Promise<ApprovedAnswer['result']> {
    const { id, operation, account_id: accountId, body } = approval;
    if (!isOperation(operation)) throw buildUnsupported();
    await this.approvals.check(id, auditContext, mayBeDone);
    if (this.approvals.needsSupport(approval, auditContext)) await this.approvals.support(id, auditContext, mayBeDone);
    else if (operation === EXPORT) await this.approvals.approveExport(id, auditContext, mayBeDone);
    else if (this.operations.isHeld(operation)) {
      const account = await this.lookup.get(accountId ?? '');
      await this.operations.get(operation).check(account, body);
      const condition = this.approvals.approve(id, auditContext, mayBeDone);
      // The event of the operation contains the reason of the request; the event of the approval contains the reason of this call.
      const answer = await this.operations
        .get(operation)
        .run(account, body, { ...auditContext, reason: approval.reason, condition });
      return { ...answer };
    } else throw buildUnsupported();
    return null;
  }

  #answer(approval: Approval, auditContext: OperatorContext): ApprovalAnswer {
    return toApprovalAnswer(approval, this.approvals.needsSupport(approval, auditContext));
  }
}

const isOperation = (operation: string): operation is OperationId => Object.hasOwn(OPERATIONS, operation);

const mayBeDone = (rights: readonly OperatorRights[], operation: string): boolean =>
  isOperation(operation) && mayDo(rights, operation);

function buildUnsupported(): OperatorFault {
  return new OperatorFault(409, 'approval_outdated', 'This version no longer supports the operation: reject it.');
}

/**
 * Nobody can approve an operation that this version no longer supports, so everybody who may reject operations may reject it.
 * @throws OperatorFault without the rights for the operation itself
 */
function requireRights(rights: readonly OperatorRights[], { operation }: Approval): void {
  if (!isOperation(operation) || mayBeDone(rights, operation)) return;
  throw new OperatorFault(403, 'forbidden', 'You can decide only about operations that you may do yourself.');
}
