/** Reading `Authorization: Bearer` (RFC 6750, section 2.1); the query and the body are no place for a token. */
import type { IncomingMessage } from 'node:http';
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

const BEARER = /^Bearer ([A-Za-z0-9._~+/=-]{16,512})$/i;

/**
 * @param pattern of the header; its first group is the token. The scheme's case does not count (RFC 9110, section 11.1).
 * @returns null for none, for another scheme, and for two headers: a proxy might check the one while this uses the other
 */
export function bearerOf({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>, pattern = BEARER): string | null {
  const [header, ...more] = headersDistinct['authorization'] ?? [];
  return header === undefined || more.length > 0 ? null : (pattern.exec(header)?.[1] ?? null);
}

/** Empty where there is none: nothing matches it. */
export const Bearer = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => bearerOf(context.switchToHttp().getRequest<Request>()) ?? '',
);
