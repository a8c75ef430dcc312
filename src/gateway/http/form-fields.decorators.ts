/**
 * What fields and query parameters may be. A challenge of a wrong kind is treated like a missing one, because its screen
 * says what to do; anything else of a wrong kind is a bad request.
 */
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';

/** Base64url with its padding, or a UUID; budget of docs/hydra-behaviour.md B.8. */
const CHALLENGE = /^[A-Za-z0-9_-]{1,16384}={0,2}$/;
/** Sealed challenges are never shorter; what is shorter is an id and has one spelling anyway. */
const SHORTEST_SEALED = 64;

/**
 * Hydra decodes base64url loosely: where bits are left over, several spellings are one challenge. Only the one that it
 * issues is taken, or the record kept for a challenge could be passed by with another spelling of it.
 */
function isChallenge(value: unknown): value is string {
  if (typeof value !== 'string' || !CHALLENGE.test(value)) return false;
  const body = value.replace(/=+$/, '');
  return body.length < SHORTEST_SEALED || Buffer.from(body, 'base64url').toString('base64url') === body;
}

export const Challenge = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (isChallenge(value) ? value : '')),
    IsString(),
  );

/** Text without NUL, which PostgreSQL refuses. @param most code units */
export const OptionalText = (most: number): PropertyDecorator =>
  applyDecorators(IsOptional(), IsString(), MaxLength(most), Matches(/^[^\0]*$/));
