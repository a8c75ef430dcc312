/**
 * Makes the change of a job to each account: the same change as the call for one account. The account of the operator who started the job
 * is never changed, and the account of another operator only with `admin`. A failure is an error code, such as the call would return.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Accounts } from '../../accounts/account/accounts.js';
import type { Account } from '../../accounts/account/account.js';
import { AccountDeletions } from '../../accounts/changes/account-deletions.js';
import type { AccountJob } from '../../accounts/jobs/account-jobs.js';
import { AccountRights, findTokenRights } from '../../accounts/operators/account-rights.js';
import { toActorText, toOwner } from '../../accounts/operators/operator-identity.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config, OperatorRights } from '../../config/config.js';
import { LOG } from '../../config/log.token.js';
import { FAULT_MAPPER } from '../../gateway/http/fault.filter.js';
import type { OperationId } from '../operations.js';
import { JOB_ACTIONS, type JobActionName } from '../wire-jobs.js';
import { EndAccess } from './end-access.js';
import { toOperatorFault, type FaultMapper } from './fault-answers.js';
import type { OperatorContext } from './operator-context.js';
import { ResetLinks } from './reset-links.js';

/** The operation for one account. A job requires the rights for it. */
export const JOB_OPERATIONS: Readonly<Record<JobActionName, OperationId>> = {
  disable: 'access.disable',
  enable: 'access.enable',
  end_sessions: 'sessions.endAll',
  mail_reset: 'resets.mailPassword',
  invite: 'resets.invite',
  schedule_deletion: 'deletion.schedule',
};

export function findJobAction(name: string): JobActionName | undefined {
  return JOB_ACTIONS.find((action) => action === name);
}

@Injectable()
export class JobChange {
  constructor(
    private readonly accounts: Accounts,
    private readonly deletions: AccountDeletions,
    private readonly endAccess: EndAccess,
    private readonly links: ResetLinks,
  ) {}

  /** @throws the errors of the call for one account */
  async run(
    account: Account,
    { action, days }: { action: JobActionName; days: number | undefined },
    auditContext: OperatorContext,
  ): Promise<void> {
    switch (action) {
      case 'disable':
        await this.endAccess.disable(account, auditContext);
        return;
      case 'enable':
        if (account.status !== 'active') await this.accounts.setStatus(account.id, 'active', auditContext);
        return;
      case 'end_sessions':
        await this.endAccess.endSessions(account, auditContext);
        return;
      case 'mail_reset':
        await this.links.mail(account, 'reset-link', auditContext);
        return;
      case 'invite':
        await this.links.mail(account, 'invitation', auditContext);
        return;
      case 'schedule_deletion':
        await this.deletions.schedule(account.id, auditContext, days);
        return;
    }
  }
}

@Injectable()
export class JobActions {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'operator'>,
    @Inject(LOG) private readonly log: Logger,
    private readonly accounts: Accounts,
    private readonly rights: AccountRights,
    private readonly changes: JobChange,
    @Inject(FAULT_MAPPER) private readonly mapper: FaultMapper,
  ) {}

  /**
   * @returns the current rights of the operator or token that started the job; none if the account of the operator was deleted or
   * disabled
   */
  async findRights({ owner, auditContext }: AccountJob): Promise<readonly OperatorRights[]> {
    if (auditContext.operatorAccount !== undefined) return this.rights.findRights(auditContext.operatorAccount);
    // A token may have the name of the deleted operator.
    if (owner !== toOwner(auditContext)) return [];
    return findTokenRights(this.config.operator, toActorText(auditContext));
  }

  /** @returns null if the change succeeded or was not needed, otherwise an error code */
  async run(job: AccountJob, accountId: string, rights: readonly OperatorRights[]): Promise<string | null> {
    const action = findJobAction(job.action);
    if (action === undefined) return 'unknown_action';
    try {
      const account = await this.accounts.find(accountId);
      if (account === null) return 'account_not_found';
      // New jobs do not contain this account. A job that a gateway of another version has started may contain it.
      if (accountId === job.auditContext.operatorAccount) return 'own_account';
      if (!rights.includes('admin') && (await this.rights.isOperator(accountId))) return 'operator_account';
      await this.changes.run(account, { action, days: job.days ?? undefined }, job.auditContext);
      return null;
    } catch (error) {
      const fault = toOperatorFault(error, this.mapper);
      if (fault.status >= 500)
        this.log.warn({ err: error, job: job.id, account: accountId }, 'a job could not change an account');
      return fault.code;
    }
  }
}
