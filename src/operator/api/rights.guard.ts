/**
 * Decides by the table in `operations.ts` whether an operator may do an operation (ASVS 8.3.1). A route that declares neither
 * an operation nor `WithoutToken` is refused. The values of a call are validated only after its rights were checked.
 *
 * Calls of the console also need a reason for a change, and a fresh proof for a dangerous operation.
 */
import { Inject, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Logger } from 'pino';
import { AccountRights } from '../../accounts/operators/account-rights.js';
import type { OperatorRights } from '../../config/config.js';
import { LOG } from '../../config/log.token.js';
import { getRule, mayDo, type OperationId, type OperationRule } from '../operations.js';
import { REASON_HEADER } from '../wire.js';
import { AccountLookup } from './account-lookup.js';
import { readReason } from './call-reason.js';
import type { OperatorRequest } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';

const OPERATION = 'foyer:operation';
const WITHOUT_TOKEN = 'foyer:without-token';

/** Declares the operation of a route. */
export const Operation = (id: OperationId): MethodDecorator => SetMetadata<string, OperationId>(OPERATION, id);

/** Declares a route of the console, the token hook or SCIM, which requires no token of the operator API and checks its requests itself. */
export const WithoutToken = (): MethodDecorator => SetMetadata(WITHOUT_TOKEN, true);

/** A request of a route, with its parameters. */
type RouteRequest = OperatorRequest & { params?: Readonly<Record<string, string>> };

@Injectable()
export class RightsGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly lookup: AccountLookup,
    private readonly accountRights: AccountRights,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /**
   * The proof is checked last, so that no operator is asked for a fresh proof for a call that is refused anyway.
   * @throws OperatorFault
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.get<boolean | undefined>(WITHOUT_TOKEN, context.getHandler()) === true) return true;
    const operation = this.reflector.get<OperationId | undefined>(OPERATION, context.getHandler());
    if (operation === undefined) throw new Error('A route of the operator API declares no operation.');
    const request = context.switchToHttp().getRequest<RouteRequest>();
    this.#requireRights(operation, request);
    const reason = readReason(request);
    if (reason !== undefined) request.context = { ...request.context, reason };
    const rule = getRule(operation);
    if (rule.changes) {
      requireReason(request);
      await this.#requireChangeable(rule, request);
    }
    requireFreshProof(rule, request);
    return true;
  }

  #requireRights(operation: OperationId, { rights = [], session, context: auditContext }: RouteRequest): void {
    if (mayDo(rights, operation)) return;
    this.log.warn({ ...auditContext, operation }, 'operator API: the rights for a call are missing');
    const requiredRight = toAlternatives(getRule(operation).rights);
    const currentRights = rights.length === 0 ? '"none"' : rights.map((right) => `"${right}"`).join(' and ');
    const message = session
      ? `This requires the right ${requiredRight}; you have ${currentRights}. An operator with the right "admin" can grant it.`
      : `This call requires a token with the right ${requiredRight}; this token has ${currentRights}.`;
    throw new OperatorFault(403, 'forbidden', message);
  }

  /**
   * In the console, operators cannot do dangerous operations on their own account, such as granting themselves a right. Only `admin` may
   * change the account of an operator: otherwise `support` could disable the accounts of those who would stop it.
   */
  async #requireChangeable({ dangerous }: OperationRule, { params, rights = [], session }: RouteRequest): Promise<void> {
    const pathId = params?.['id'];
    const [refusesOwn, refusesOperators] = [session !== undefined && dangerous, !rights.includes('admin')];
    if (pathId === undefined || (!refusesOwn && !refusesOperators)) return;
    const accountId = await this.lookup.findId(pathId);
    // The controller answers 404.
    if (accountId === null) return;
    if (refusesOwn && accountId === session?.accountId)
      throw new OperatorFault(403, 'own_account', 'You cannot do this to your own account: ask another operator.');
    if (refusesOperators && (await this.accountRights.isOperator(accountId))) {
      const message =
        'This account belongs to an operator, so the change requires the right "admin": ask an operator who has it.';
      throw new OperatorFault(403, 'operator_account', message);
    }
  }
}

function requireReason({ session, context }: RouteRequest): void {
  if (!session || context.reason !== undefined) return;
  const message = `A change in the console requires a reason, in the header ${REASON_HEADER}.`;
  throw new OperatorFault(422, 'missing', message, { field: 'reason' });
}

function requireFreshProof({ dangerous }: OperationRule, { session }: RouteRequest): void {
  if (!session || session.isFresh || !dangerous) return;
  const message = 'This requires a sign-in within the last 15 minutes: sign in again.';
  throw new OperatorFault(403, 'proof_outdated', message);
}

/** `"read", "support" or "admin"` */
function toAlternatives(rights: readonly OperatorRights[]): string {
  const names = rights.map((right) => `"${right}"`);
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' or ');
}
