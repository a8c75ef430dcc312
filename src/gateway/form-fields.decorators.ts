/**
 * What fields and query parameters may be. A challenge of a wrong kind is treated like a missing one, because its screen
 * says what to do; anything else of a wrong kind is a bad request.
 */
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';

/** Padded base64url or a UUID; budget of hydra-contract B.8. */
const CHALLENGE = /^[A-Za-z0-9_=-]{1,16384}$/;

export const Challenge = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' && CHALLENGE.test(value) ? value : '')),
    IsString(),
  );

/** Text without NUL, which PostgreSQL refuses. @param most code units */
export const OptionalText = (most: number): PropertyDecorator =>
  applyDecorators(IsOptional(), IsString(), MaxLength(most), Matches(/^[^\0]*$/));
