/** Grants a right of operators to an account. */
import { Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/account.js';
import { AccountNotFound } from '../../accounts/account/account.errors.js';
import { OperatorGrants, type NewGrant } from '../../accounts/operators/operator-grants.js';
import { Clock } from '../../config/clock.js';
import { OPERATOR_RIGHTS, type OperatorRights } from '../../config/config.js';
import type { OperatorAnswer } from '../wire-operators.js';
import type { GrantBody } from './account-bodies.js';
import { toOperatorAnswer } from './answers.js';
import { toInstant } from './instant.js';
import type { OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';

@Injectable()
export class GrantRight {
  constructor(
    private readonly grants: OperatorGrants,
    private readonly clock: Clock,
  ) {}

  /** @throws OperatorFault for faults that can be found before the right is granted */
  check({ id: accountId, status }: Account, { right: name, ends_at }: GrantBody): NewGrant {
    const right = findRight(name);
    if (!right) {
      const message = `There is no such right; the rights are ${OPERATOR_RIGHTS.join(', ')}.`;
      throw new OperatorFault(422, 'unknown_right', message, { field: 'right' });
    }
    const endsAt = ends_at === undefined || ends_at === null ? null : toInstant('ends_at', ends_at);
    if (endsAt !== null && endsAt <= this.clock.now()) throw buildPastFault();
    if (status !== 'active') throw buildDisabledFault();
    return { accountId, right, endsAt };
  }

  /** @throws OperatorFault, AccountNotFound */
  async run(account: Account, body: GrantBody, auditContext: OperatorContext): Promise<OperatorAnswer> {
    switch (await this.grants.grant(this.check(account, body), auditContext)) {
      case 'gone':
        throw new AccountNotFound();
      case 'disabled':
        throw buildDisabledFault();
      case 'past':
        throw buildPastFault();
      case 'granted':
        return this.answer(account.id);
    }
  }

  /** @returns the account with its rights @throws AccountNotFound */
  async answer(accountId: string): Promise<OperatorAnswer> {
    const operator = await this.grants.find(accountId);
    if (!operator) throw new AccountNotFound();
    return toOperatorAnswer(operator);
  }
}

function buildDisabledFault(): OperatorFault {
  return new OperatorFault(409, 'account_disabled', 'The account is disabled: enable it first.');
}

function buildPastFault(): OperatorFault {
  return new OperatorFault(422, 'past', 'ends_at must be in the future.', { field: 'ends_at' });
}

export function findRight(name: string): OperatorRights | undefined {
  return OPERATOR_RIGHTS.find((right) => right === name);
}
