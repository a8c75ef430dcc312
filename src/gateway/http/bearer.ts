/** Reads `Authorization: Bearer` (RFC 6750, section 2.1); tokens in the query or the body are not accepted. */
import type { IncomingMessage } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

const BEARER = /^Bearer ([A-Za-z0-9._~+/=-]{16,512})$/i;

/**
 * @param pattern matches the header; its first group is the token. The scheme is case-insensitive (RFC 9110, section 11.1).
 * @returns null without the header, for a header that does not match the pattern, or for two headers, because a proxy might check
 * one of them and Foyer use the other
 */
export function readBearer({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>, pattern = BEARER): string | null {
  const [header, ...otherHeaders] = headersDistinct['authorization'] ?? [];
  return header === undefined || otherHeaders.length > 0 ? null : (pattern.exec(header)?.[1] ?? null);
}

/** The bearer token of the request, or an empty string, which matches no token. */
export const Bearer = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => readBearer(context.switchToHttp().getRequest<Request>()) ?? '',
);
