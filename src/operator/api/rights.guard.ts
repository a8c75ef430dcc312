/**
 * What a token may do. Every route declares the rights that it takes; a route without them is refused (ASVS 8.3.1).
 *
 * `read` reads everything but exports. `support` also takes access away (sessions, an account), forgets wrong passwords,
 * and has a link mailed to the address that an account already has. It is never told a secret and changes nothing that
 * decides who gets into an account, because one step of that would give its holder every account. `admin` does
 * everything.
 */
import { Inject, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Logger } from 'pino';
import { OPERATOR_RIGHTS, type OperatorRights } from '../../config/config.js';
import { LOG } from '../../config/log.token.js';
import type { OperatorRequest } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';

const RIGHTS = 'foyer:operator-rights';

/** The least rights with which a token may call the route. */
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
    const message = `This call takes a token with the rights "${required}"; this one has "${rights ?? 'none'}".`;
    throw new OperatorFault(403, 'forbidden', message);
  }
}
