/**
 * What fields, query parameters and members of calls may be. A challenge of a wrong kind is treated like a missing one,
 * because its screen says what to do; anything else of a wrong kind is a bad request.
 */
import { applyDecorators } from '@nestjs/common';
import { IsBoolean, IsOptional, IsString, Matches, MaxLength, ValidateIf } from 'class-validator';

export const READ_AS = Symbol('ReadAs');

export type ReadValue = (value: unknown) => unknown;

/** Before a member is checked. @param read gets `undefined` for one that did not come */
export const ReadAs =
  (read: ReadValue): PropertyDecorator =>
  (target, name) =>
    Reflect.defineMetadata(READ_AS, read, target, name);

/** Base64url with its padding, or a UUID; its size is bounded as docs/hydra-behaviour.md B.8 says. */
const CHALLENGE = /^[A-Za-z0-9_-]{1,16384}={0,2}$/;
/** Sealed challenges are never shorter; what is shorter is an id and has one spelling anyway. */
const SHORTEST_SEALED = 64;
/** PostgreSQL refuses NUL. */
const NO_NUL = /^[^\0]*$/;

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
    ReadAs((value) => (isChallenge(value) ? value : '')),
    IsString(),
  );

/** @param most code units */
export const OptionalText = (most: number): PropertyDecorator =>
  applyDecorators(IsOptional(), IsString(), MaxLength(most), Matches(NO_NUL));

/** A member of JSON may be left out; `null` is no value for it. */
export const OptionalMember = (...checks: PropertyDecorator[]): PropertyDecorator =>
  applyDecorators(
    ValidateIf((_, value) => value !== undefined),
    ...checks,
  );

/** A text of a call. The limit of its body bounds it. */
export const CallText = (): PropertyDecorator => OptionalMember(IsString(), Matches(NO_NUL));

/** True or false, in a call. */
export const CallFlag = (): PropertyDecorator => OptionalMember(IsBoolean());
