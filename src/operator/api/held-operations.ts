/**
 * The operations that may wait for a second operator, or need a check of who is calling. The same code runs them directly and after an
 * approval.
 */
import { Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/account.js';
import { AccountRights } from '../../accounts/operators/account-rights.js';
import type { AccountAnswer, FactorRemovedAnswer, FactorResetAnswer, LinkedAnswer, PasswordResetAnswer } from '../wire.js';
import type { OperatorAnswer } from '../wire-operators.js';
import type { AccountPatchBody, GrantBody, LinkBody } from './account-bodies.js';
import { ChangeAccount, changesAddress } from './change-account.js';
import { GrantRight } from './grant-right.js';
import { LinkAccount } from './link-account.js';
import type { OperatorContext } from './operator-context.js';
import { RemoveFactor } from './remove-factor.js';
import { requireActive, ResetLinks } from './reset-links.js';

/** The body and the answer of each operation. Bodies are stored and contain no secrets. */
interface HeldTypes {
  'accounts.change': [AccountPatchBody, AccountAnswer];
  'factors.remove': [{ factor: string }, FactorRemovedAnswer];
  'resets.password': [object, PasswordResetAnswer];
  'resets.factors': [object, FactorResetAnswer];
  'source.link': [LinkBody, LinkedAnswer];
  'operators.grant': [GrantBody, OperatorAnswer];
}

export type HeldId = keyof HeldTypes;
export type HeldBody<Id extends HeldId> = HeldTypes[Id][0];
export type HeldAnswer<Id extends HeldId> = HeldTypes[Id][1];

/**
 * What an operation would let an impostor take over, which decides who has to agree. `account`: the account. `password`: the account,
 * unless it has a second factor. `admin`: the right to approve.
 */
export type Reach = 'account' | 'password' | 'admin';

export interface HeldOperation<Id extends HeldId> {
  /** What this call would let an impostor take over; empty if it never waits. */
  findReaches(account: Account, body: HeldBody<Id>): readonly Reach[];
  /** @throws the faults that can be found before the operation runs, so that a call that would fail does not wait for an approval */
  check(account: Account, body: HeldBody<Id>): unknown;
  /** @returns the body to store, with ids in place of names: at the time of the approval, a name may belong to another person */
  resolve?(body: HeldBody<Id>): Promise<HeldBody<Id>>;
  run(account: Account, body: HeldBody<Id>, auditContext: OperatorContext): Promise<HeldAnswer<Id>>;
}

const grantsAdmin = ({ right }: GrantBody): boolean => right === 'admin';

@Injectable()
export class HeldOperations {
  readonly #table: { readonly [Id in HeldId]: HeldOperation<Id> };

  constructor(
    private readonly changeAccount: ChangeAccount,
    private readonly removeFactor: RemoveFactor,
    private readonly links: ResetLinks,
    private readonly linkAccount: LinkAccount,
    private readonly grantRight: GrantRight,
    private readonly rights: AccountRights,
  ) {
    this.#table = { ...this.#listAlwaysHeld(), ...this.#listSometimesHeld() };
  }

  get<Id extends HeldId>(id: Id): HeldOperation<Id> {
    return this.#table[id];
  }

  /** Whether a second operator has to agree to what an operation reaches (OPERATOR_APPROVAL). */
  async needsApproval(
    reaches: readonly Reach[],
    { id }: Account,
    trx?: Parameters<AccountRights['isOperator']>[1],
  ): Promise<boolean> {
    if (reaches.includes('account') || reaches.includes('admin')) return true;
    // Otherwise an operator could take over the account of another operator, who has no second factor yet, and approve with it.
    return reaches.includes('password') && (await this.rights.isOperator(id, trx));
  }

  /** @param id the operation that is stored with an approval */
  isHeld(id: string): id is HeldId {
    return Object.hasOwn(this.#table, id);
  }

  #listAlwaysHeld() {
    const { removeFactor, links, linkAccount } = this;
    return {
      'factors.remove': {
        findReaches: () => ['account'],
        check: (account, body) => removeFactor.check(account, body),
        run: (account, body, auditContext) => removeFactor.run(account, body, auditContext),
      },
      'resets.factors': {
        findReaches: () => ['account'],
        check: requireActive,
        run: (account, _, auditContext) => links.createFactorReset(account, auditContext),
      },
      // The person at the source signs in to the account, and the source determines its e-mail address.
      'source.link': {
        findReaches: () => ['account'],
        check: (account, body) => linkAccount.check(account, body),
        resolve: (body) => linkAccount.resolve(body),
        run: (account, body, auditContext) => linkAccount.run(account, body, auditContext),
      },
    } satisfies { [Id in 'factors.remove' | 'resets.factors' | 'source.link']: HeldOperation<Id> };
  }

  #listSometimesHeld() {
    const { changeAccount, links, grantRight } = this;
    return {
      'accounts.change': {
        findReaches: (account, body) => [
          ...(changesAddress(account, body) ? (['account'] as const) : []),
          ...(changeAccount.makesAdmin(account, body) ? (['admin'] as const) : []),
        ],
        check: async (account, body) => {
          await changeAccount.check(account, body);
          if (changeAccount.makesAdmin(account, body)) await links.requireOwnPassword(account);
        },
        run: (account, body, auditContext) => changeAccount.run(account, body, auditContext),
      },
      'resets.password': {
        findReaches: () => ['password'],
        check: (account) => links.checkPasswordReset(account),
        run: (account, _, auditContext) => links.createPasswordReset(account, auditContext),
      },
      'operators.grant': {
        findReaches: (_, body) => (grantsAdmin(body) ? ['admin'] : []),
        check: async (account, body) => {
          grantRight.check(account, body);
          await links.requireOwnPassword(account);
        },
        run: (account, body, auditContext) => grantRight.run(account, body, auditContext),
      },
    } satisfies { [Id in 'accounts.change' | 'resets.password' | 'operators.grant']: HeldOperation<Id> };
  }
}
