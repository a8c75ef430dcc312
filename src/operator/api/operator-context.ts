/**
 * The context of an operator call, for the audit log. The address is the one from which the connection comes, because this
 * listener trusts no proxy.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { OperatorRights } from '../../config/config.js';

export interface OperatorContext {
  readonly actor: 'operator';
  /** Name of the token; absent for the token of OPERATOR_TOKEN. */
  readonly operator?: string;
  readonly address: string;
  readonly requestId: string;
}

export interface OperatorRequest extends IncomingMessage {
  context: OperatorContext;
  /** What the token may do, set by `bearer.ts`; absent for METRICS_TOKEN. */
  rights?: OperatorRights;
  /** Set by `request-body.ts`: undefined without a body; the lines if the route accepts a batch. */
  body?: Record<string, unknown> | readonly string[];
}

/** A middleware of Express, with the requests of this listener. */
export type Middleware = (request: OperatorRequest, response: ServerResponse, next: (error?: unknown) => void) => void;

const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

export const operatorContext: Middleware = (request, response, next) => {
  const address = (request.socket.remoteAddress ?? '').replace(MAPPED_IPV4, '');
  request.context = { actor: 'operator', address, requestId: randomUUID() };
  response.setHeader('X-Request-Id', request.context.requestId);
  next();
};

/** Injects the lines of a batch; without a body, an empty list. */
export const CurrentLines = createParamDecorator((_: unknown, context: ExecutionContext): readonly string[] => {
  const { body } = context.switchToHttp().getRequest<OperatorRequest>();
  return Array.isArray(body) ? (body as string[]) : [];
});

export const CurrentOperatorContext = createParamDecorator(
  (_: unknown, context: ExecutionContext): OperatorContext => context.switchToHttp().getRequest<OperatorRequest>().context,
);
