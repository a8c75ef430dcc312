/**
 * Deletes accounts, and ends their sessions and grants at Hydra: immediately, or after some days during which the deletion can be
 * cancelled.
 */
import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { AccountDeletions } from '../../accounts/changes/account-deletions.js';
import { DeleteAccount } from '../../accounts/changes/delete-account.js';
import { DeletionBody } from './account-bodies.js';
import { AccountLookup } from './account-lookup.js';
import { toAccountAnswer } from './answers.js';
import { EndAccess } from './end-access.js';
import { CurrentOperatorContext, type OperatorContext } from './operator-context.js';
import { Operation } from './rights.guard.js';
import { OPERATOR_API, type DeletedAnswer } from '../wire.js';
import type { DeletionAnswer, KeptAnswer } from '../wire-deletion.js';

@Controller(`${OPERATOR_API}/accounts/:id`)
export class DeletionController {
  constructor(
    private readonly lookup: AccountLookup,
    private readonly deletion: DeleteAccount,
    private readonly deletions: AccountDeletions,
    private readonly endAccess: EndAccess,
  ) {}

  /**
   * Deletes an account and all its data. Its sessions and grants at Hydra end immediately, or as soon as Hydra answers. Its
   * events stay in the audit log, and its username stays reserved for some time. This cannot be undone.
   * @throws 404 account_not_found
   */
  @Delete()
  @Operation('deletion.delete')
  async delete(@Param('id') id: string, @CurrentOperatorContext() context: OperatorContext): Promise<DeletedAnswer> {
    const account = await this.lookup.get(id);
    const ended = await this.deletion.delete(account, context);
    return { id: account.id, ended, upstream: await this.endAccess.settle(account.id, context) };
  }

  /**
   * Schedules the deletion of an account after some days, and tells its owner by mail how to keep it. Until then, the account
   * works as before. A second call restarts the waiting time.
   * @throws 404 account_not_found
   */
  @Post('deletion')
  @Operation('deletion.schedule')
  @HttpCode(200)
  async schedule(
    @Param('id') id: string,
    @Body() { days }: DeletionBody,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<DeletionAnswer> {
    const account = await this.lookup.get(id);
    const dueAt = await this.deletions.schedule(account.id, context, days);
    return { ...toAccountAnswer(account), deletion_due_at: dueAt.toISOString() };
  }

  /**
   * Cancels the scheduled deletion of an account, and informs its owner by mail.
   * @throws 404 account_not_found
   */
  @Delete('deletion')
  @Operation('deletion.cancel')
  async cancel(@Param('id') id: string, @CurrentOperatorContext() context: OperatorContext): Promise<KeptAnswer> {
    const account = await this.lookup.get(id);
    return { ...toAccountAnswer(account), was_due: await this.deletions.cancel(account.id, context, 'operator') };
  }
}
