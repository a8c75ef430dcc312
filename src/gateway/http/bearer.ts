/** Reading `Authorization: Bearer` (RFC 6750, section 2.1); the query and the body are no place for a token. */
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

const BEARER = /^Bearer ([A-Za-z0-9._~+/=-]{16,512})$/i;

/** @returns null for none, for another scheme, and for two headers, of which only one could be meant */
export function bearerOf(request: Request): string | null {
  const headers = request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization');
  if (headers.length !== 1) return null;
  return BEARER.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

/** Empty where there is none: nothing matches it. */
export const Bearer = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => bearerOf(context.switchToHttp().getRequest<Request>()) ?? '',
);
