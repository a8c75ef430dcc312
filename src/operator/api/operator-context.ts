/**
 * Who calls, as the audit log will name it. There are no proxies to believe in front of this listener: the address is
 * the peer's.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';

export interface OperatorContext {
  readonly actor: 'operator';
  readonly address: string;
  readonly requestId: string;
}

export interface OperatorRequest extends IncomingMessage {
  context: OperatorContext;
  /** Set by `request-body.ts`: absent where the request has none, lines where a call takes many objects. */
  body?: Record<string, unknown> | readonly string[];
}

/** A step before the routes. */
export type Step = (request: OperatorRequest, response: ServerResponse, next: (error?: unknown) => void) => void;

const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

export const operatorContext: Step = (request, response, next) => {
  const address = (request.socket.remoteAddress ?? '').replace(MAPPED_IPV4, '');
  request.context = { actor: 'operator', address, requestId: randomUUID() };
  response.setHeader('X-Request-Id', request.context.requestId);
  next();
};

/** Of a batch; empty where the request has no body. */
export const CurrentLines = createParamDecorator((_: unknown, context: ExecutionContext): readonly string[] => {
  const { body } = context.switchToHttp().getRequest<OperatorRequest>();
  return Array.isArray(body) ? (body as string[]) : [];
});

export const CurrentOperatorContext = createParamDecorator(
  (_: unknown, context: ExecutionContext): OperatorContext => context.switchToHttp().getRequest<OperatorRequest>().context,
);
