/**
 * Runs an operation of `held-operations.ts`, or holds it until a second operator approves it (docs/decisions/0091), and requires a check
 * of who is calling (docs/decisions/0092). Every route of these operations uses this gate, and so does the export.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { Account } from '../../accounts/account/account.js';
import { AuditLog, type ChangeCondition } from '../../accounts/audit/audit-log.js';
import { RequestLimits } from '../../accounts/limits/request-limits.js';
import { OperatorApprovals, type Approval, type NewApproval } from '../../accounts/operators/operator-approvals.js';
import { SupportChecks } from '../../accounts/operators/support-checks.js';
import type { ExportedSecrets } from '../../accounts/transfer/exports.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { HeldOperations, type HeldAnswer, type HeldBody, type HeldId, type Reach } from './held-operations.js';
import type { OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';

export const EXPORT = 'transfer.export';
/** How many accounts a token may grant the right `admin` without approval: nobody else could approve the first ones. */
const FIRST_ADMINS = 2;
/** Any number that no other lock of this kind uses. */
const FIRST_ADMINS_LOCK = 91;

/** As many accounts as FIRST_ADMINS have already been granted the right `admin`. */
class NotFirstAdmin extends Error {}

/** Thrown when a call has to wait for a second operator. The filter answers 202. */
export class OperationHeld extends Error {
  constructor(readonly approval: Approval) {
    super('The operation waits for a second operator.');
    this.name = 'OperationHeld';
  }
}

export interface HeldCall<Id extends HeldId> {
  operation: Id;
  account: Account;
  body: HeldBody<Id>;
}

@Injectable()
export class ApprovalGate {
  constructor(
    private readonly operations: HeldOperations,
    private readonly approvals: OperatorApprovals,
    private readonly checks: SupportChecks,
    private readonly limits: RequestLimits,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'operator'>,
  ) {}

  /** @throws OperationHeld, OperatorFault, and the errors of the operation */
  async run<Id extends HeldId>(
    { operation, account, body }: HeldCall<Id>,
    auditContext: OperatorContext,
  ): Promise<HeldAnswer<Id>> {
    const heldOperation = this.operations.get(operation);
    const reaches = heldOperation.findReaches(account, body);
    const check = await this.#findCheck(reaches, account, auditContext);
    const needsApproval = await this.#needsApproval(reaches, account);
    if (!needsApproval && check !== 'missing') {
      const condition = reaches.includes('password') && !this.#isOff() ? this.#buildNoOperatorCondition(account, check) : check;
      return heldOperation.run(account, body, { ...auditContext, ...defined({ condition }) });
    }
    if (needsApproval && this.#mayBeFirst(operation, auditContext)) {
      const answer = await runAsFirst(() =>
        heldOperation.run(account, body, { ...auditContext, condition: this.#buildFirstAdminCondition() }),
      );
      if (answer !== null) return answer;
    }
    await heldOperation.check(account, body);
    const storedBody = (await heldOperation.resolve?.(body)) ?? body;
    const request = { operation, accountId: account.id, body: Object.fromEntries(Object.entries(storedBody)) };
    return this.#hold({ ...request, ...defined({ check }) }, auditContext);
  }

  /** @returns the condition that the account has not become an operator since; it also uses up the check */
  #buildNoOperatorCondition(account: Account, check?: ChangeCondition): ChangeCondition {
    return {
      require: async (trx) => {
        if (await this.operations.needsApproval(['password'], account, trx)) {
          const message =
            'The account has become an operator in the meantime, so a second operator has to approve this: repeat the call.';
          throw new OperatorFault(409, 'changed_meanwhile', message);
        }
        await check?.require(trx);
      },
    };
  }

  /** @returns the condition that uses up a passed check; `missing` if no check has passed; undefined if no check is needed */
  async #findCheck(reaches: readonly Reach[], { id }: Account, auditContext: OperatorContext): Promise<NewApproval['check']> {
    const isNeeded = reaches.includes('account') || reaches.includes('password');
    if (!this.config.operator.supportCheck || !isNeeded) return undefined;
    return (await this.checks.findPassed(id, auditContext)) ?? 'missing';
  }

  async #needsApproval(reaches: readonly Reach[], account: Account): Promise<boolean> {
    // With SUPPORT_CHECK alone, only the right `admin` needs approval: an operator could create a second operator, who would approve the
    // operations of the first without a check.
    if (this.#isOff()) return this.config.operator.supportCheck && reaches.includes('admin');
    return this.operations.needsApproval(reaches, account);
  }

  /** @returns the context in which the export runs @throws OperationHeld, OperatorFault without a reason */
  async admitExport({ passwordHashes, totpSecrets }: ExportedSecrets, auditContext: OperatorContext): Promise<OperatorContext> {
    if (this.#isOff() || !(passwordHashes || totpSecrets)) return auditContext;
    const body = { password_hashes: passwordHashes, totp_secrets: totpSecrets };
    const condition = await this.approvals.findExport(body, auditContext);
    return condition ? { ...auditContext, condition } : this.#hold({ operation: EXPORT, accountId: null, body }, auditContext);
  }

  #isOff(): boolean {
    return this.config.operator.approval === 'off';
  }

  async #hold(request: NewApproval, auditContext: OperatorContext): Promise<never> {
    if (auditContext.reason === undefined) {
      const message = 'A second operator has to approve this, so the call needs a reason that they can judge.';
      throw new OperatorFault(422, 'missing', message, { field: 'reason' });
    }
    // A repeated call is answered with the approval that already waits: the person is not notified again.
    if (request.check === 'missing' && !(await this.approvals.isWaiting(request, auditContext)))
      await this.#limitMails(request.accountId ?? '', auditContext);
    throw new OperationHeld(await this.approvals.ask(request, auditContext));
  }

  /** Limits the requests without a check, because a mail announces each to the person, if the account has an address. */
  async #limitMails(accountId: string, auditContext: OperatorContext): Promise<void> {
    const seconds = await this.limits.countOwn('unchecked-operation', accountId, auditContext);
    if (seconds === null) return;
    const message = 'Too many operations were requested without a check of who is calling: make a check, or wait.';
    throw new OperatorFault(429, 'limited', message, { headers: { 'Retry-After': String(Math.ceil(seconds)) } });
  }

  #mayBeFirst(operation: HeldId, { operatorAccount }: OperatorContext): boolean {
    const hasAdmins = this.config.operator.rules.some(({ right }) => right === 'admin');
    return operation === 'operators.grant' && operatorAccount === undefined && !hasAdmins;
  }

  /**
   * Counts the grants in the audit log, which no operator can change: after a revocation, the table of rights would again look like the table
   * of a new installation. The lock serialises simultaneous grants, each of which would otherwise seem to be one of the first.
   */
  #buildFirstAdminCondition(): ChangeCondition {
    return {
      require: async (trx) => {
        await sql`select pg_advisory_xact_lock(${sql.lit(FIRST_ADMINS_LOCK)})`.execute(trx);
        const query = { kind: 'operator.granted', detail: { right: 'admin' }, max: FIRST_ADMINS } as const;
        if ((await this.audit.findAccountIds(query, trx)).length >= FIRST_ADMINS) throw new NotFirstAdmin();
      },
    };
  }
}

/** @returns null if the first rights `admin` have already been granted */
async function runAsFirst<Answer>(run: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof NotFirstAdmin) return null;
    throw error;
  }
}
