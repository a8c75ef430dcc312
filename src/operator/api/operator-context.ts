/**
 * The context of an operator call, as recorded in the audit log. There is no proxy in front of this listener: the
 * address is the peer's.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { OperatorRights } from '../../config/config.js';

export interface OperatorContext {
  readonly actor: 'operator';
  /** Name of the token; absent for the one of OPERATOR_TOKEN. */
  readonly operator?: string;
  readonly address: string;
  readonly requestId: string;
}

export interface OperatorRequest extends IncomingMessage {
  context: OperatorContext;
  /** What the token may do, set by `bearer.ts`; absent for the token that reads metrics only. */
  rights?: OperatorRights;
  /** Set by `request-body.ts`: undefined without a body, lines if the route accepts a batch. */
  body?: Record<string, unknown> | readonly string[];
}

/** Middleware before the routes. */
export type Step = (request: OperatorRequest, response: ServerResponse, next: (error?: unknown) => void) => void;

const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

export const operatorContext: Step = (request, response, next) => {
  const address = (request.socket.remoteAddress ?? '').replace(MAPPED_IPV4, '');
  request.context = { actor: 'operator', address, requestId: randomUUID() };
  response.setHeader('X-Request-Id', request.context.requestId);
  next();
};

/** Lines of a batch; empty without a body. */
export const CurrentLines = createParamDecorator((_: unknown, context: ExecutionContext): readonly string[] => {
  const { body } = context.switchToHttp().getRequest<OperatorRequest>();
  return Array.isArray(body) ? (body as string[]) : [];
});

export const CurrentOperatorContext = createParamDecorator(
  (_: unknown, context: ExecutionContext): OperatorContext => context.switchToHttp().getRequest<OperatorRequest>().context,
);
