/**
 * Checks for form fields, query parameters and RPC members. An invalid challenge is treated like a missing one, because
 * the page about a missing challenge explains what to do; other invalid values are a bad request.
 */
import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, IsArray, IsBoolean, IsOptional, IsString, Matches, MaxLength, ValidateIf } from 'class-validator';

export const READ_AS = Symbol('ReadAs');

export type ReadValue = (value: unknown) => unknown;

/** Converts a member before it is checked. @param read gets `undefined` for an absent member */
export const ReadAs =
  (read: ReadValue): PropertyDecorator =>
  (target, name) =>
    Reflect.defineMetadata(READ_AS, read, target, name);

/** Base64url with padding, or a UUID; the maximum is the size of all headers in docs/hydra-behaviour.md B.8. */
const CHALLENGE = /^[A-Za-z0-9_-]{1,16384}={0,2}$/;
/** Sealed challenges are never shorter; shorter values are ids with one spelling. */
const MIN_SEALED_LENGTH = 64;
/** PostgreSQL refuses NUL. */
const NO_NUL = /^[^\0]*$/;

/**
 * Hydra ignores unused bits of base64url, so several spellings are the same challenge. Only the spelling whose unused bits are zero is
 * accepted; otherwise another one would bypass the record of a challenge. The padding is not checked: Hydra refuses a wrong one.
 */
function isChallenge(value: unknown): value is string {
  if (typeof value !== 'string' || !CHALLENGE.test(value)) return false;
  const body = value.replace(/=+$/, '');
  return body.length < MIN_SEALED_LENGTH || Buffer.from(body, 'base64url').toString('base64url') === body;
}

export const Challenge = (): PropertyDecorator =>
  applyDecorators(
    ReadAs((value) => (isChallenge(value) ? value : '')),
    IsString(),
  );

/** A list of scopes, as a member of a call. */
export const CallScopes = (): PropertyDecorator =>
  applyDecorators(
    IsArray(),
    ArrayMaxSize(100),
    IsString({ each: true }),
    MaxLength(1000, { each: true }),
    Matches(NO_NUL, { each: true }),
  );

/** A list of scopes in a form: one scope arrives as a string, several scopes as a list; without a scope the field is absent. */
export const Scopes = (): PropertyDecorator =>
  applyDecorators(
    ReadAs((value) => (value === undefined ? [] : Array.isArray(value) ? (value as unknown[]) : [value])),
    CallScopes(),
  );

/** A text that may be absent. @param maxLength in characters as class-validator counts them: a surrogate pair is one */
export const OptionalText = (maxLength: number): PropertyDecorator =>
  applyDecorators(IsOptional(), IsString(), MaxLength(maxLength), Matches(NO_NUL));

/** A JSON member that may be absent; `null` is not accepted. */
export const OptionalMember = (...checks: PropertyDecorator[]): PropertyDecorator =>
  applyDecorators(
    ValidateIf((_, value) => value !== undefined),
    ...checks,
  );

/** A string member of a call. The body limit bounds its length. */
export const CallText = (): PropertyDecorator => OptionalMember(IsString(), Matches(NO_NUL));

/** A boolean member of a call. */
export const CallFlag = (): PropertyDecorator => OptionalMember(IsBoolean());
