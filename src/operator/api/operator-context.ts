/**
 * The context of an operator call, for the audit log. The address is the remote address of the connection, unless
 * OPERATOR_TRUST_PROXY trusts a proxy that forwards another address.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { ChangeCondition } from '../../accounts/audit/audit-log.js';
import type { Clock } from '../../config/clock.js';
import type { OperatorRights } from '../../config/config.js';
import { createRequestId } from '../../config/request-id.js';
import { buildAddress } from '../../gateway/http/request-context.middleware.js';

export interface OperatorContext {
  readonly actor: 'operator';
  /** Name of the token, or username of the operator in the console; absent for the token of OPERATOR_TOKEN. */
  readonly operator?: string;
  /** Account id of the operator; absent for a token. */
  readonly operatorAccount?: string;
  /** Why the operator makes the call (`call-reason.ts`). */
  readonly reason?: string;
  readonly address: string;
  readonly requestId: string;
  /** A condition of the change, checked in its transaction: it may, for example, use up an approval. */
  readonly condition?: ChangeCondition;
}

/** The session of the console in which a call was made. */
export interface CallSession {
  /** Account id of the operator. */
  readonly accountId: string;
  /** Whether the operator has proven their identity within the last 15 minutes. */
  readonly isFresh: boolean;
}

export interface OperatorRequest extends IncomingMessage {
  context: OperatorContext;
  /** What the token or the operator may do; a token has one right (`bearer.ts`). Absent for METRICS_TOKEN and on routes without a token. */
  rights?: readonly OperatorRights[];
  /** Address of the client, which a trusted proxy may forward; set by Express. */
  ip?: string;
  /** Whether the call needs no token of the operator API, because the console, the token hook or SCIM has admitted it. */
  isAdmitted?: boolean;
  /** Present only for calls of the console. */
  session?: CallSession;
  /** Set by `request-body.ts`: undefined without a body; the lines if the route accepts a batch. */
  body?: Record<string, unknown> | readonly string[];
}

/** A middleware of Express, with the requests of this listener. */
export type Middleware = (request: OperatorRequest, response: ServerResponse, next: (error?: unknown) => void) => void;

const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

export function operatorContext(clock: Clock): Middleware {
  return (request, response, next) => {
    const address = buildAddress(request.ip, request.socket.remoteAddress).replace(MAPPED_IPV4, '');
    request.context = { actor: 'operator', address, requestId: createRequestId(clock) };
    response.setHeader('X-Request-Id', request.context.requestId);
    next();
  };
}

/** The operator or token of a call, with its rights. */
export interface CallingOperator {
  auditContext: OperatorContext;
  rights: readonly OperatorRights[];
}

/** Injects the operator or token with its rights. */
export const CurrentOperator = createParamDecorator((_: unknown, context: ExecutionContext): CallingOperator => {
  const { context: auditContext, rights = [] } = context.switchToHttp().getRequest<OperatorRequest>();
  return { auditContext, rights };
});

/** Injects the lines of a batch; without a body, an empty list. */
export const CurrentLines = createParamDecorator((_: unknown, context: ExecutionContext): readonly string[] => {
  const { body } = context.switchToHttp().getRequest<OperatorRequest>();
  return Array.isArray(body) ? (body as string[]) : [];
});

export const CurrentOperatorContext = createParamDecorator(
  (_: unknown, context: ExecutionContext): OperatorContext => context.switchToHttp().getRequest<OperatorRequest>().context,
);

/** Injects what the operator may do. */
export const CurrentRights = createParamDecorator(
  (_: unknown, context: ExecutionContext): readonly OperatorRights[] =>
    context.switchToHttp().getRequest<OperatorRequest>().rights ?? [],
);
