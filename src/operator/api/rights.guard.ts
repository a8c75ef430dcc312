/**
 * Checks the rights of a token. Every route declares the rights that it requires; calls of a route without them are refused
 * (ASVS 8.3.1).
 *
 * `read` can read everything except exports. `support` can also end sessions, disable and unlock accounts, and have a link mailed
 * to the address of an account. It never receives a secret and cannot change how people sign in: either would let its holder take
 * over every account. `admin` can do everything.
 */
import { Inject, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Logger } from 'pino';
import { OPERATOR_RIGHTS, type OperatorRights } from '../../config/config.js';
import { LOG } from '../../config/log.token.js';
import type { OperatorRequest } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';

const RIGHTS = 'foyer:operator-rights';

/** Declares the rights that a token needs for a route. */
export const Rights = (rights: OperatorRights): MethodDecorator => SetMetadata<string, OperatorRights>(RIGHTS, rights);

@Injectable()
export class RightsGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** @throws OperatorFault 403 */
  canActivate(context: ExecutionContext): boolean {
    const required = this.reflector.get<OperatorRights | undefined>(RIGHTS, context.getHandler());
    if (required === undefined) throw new Error('A route of the operator API declares no rights.');
    const { rights, context: by } = context.switchToHttp().getRequest<OperatorRequest>();
    if (rights !== undefined && OPERATOR_RIGHTS.indexOf(rights) >= OPERATOR_RIGHTS.indexOf(required)) return true;
    this.log.warn({ ...by, required }, 'operator API: the token lacks the rights for a call');
    const message = `This call requires a token with the rights "${required}"; this token has "${rights ?? 'none'}".`;
    throw new OperatorFault(403, 'forbidden', message);
  }
}
