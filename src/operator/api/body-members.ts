/** Decorators that check the types of members of bodies and queries, and the form of cursors, limits and dates. */
import { applyDecorators } from '@nestjs/common';
import { IsArray, IsObject, IsString, Matches, ValidateIf } from 'class-validator';
import { OptionalMember } from '../../gateway/http/form-fields.decorators.js';

export const Text = (): PropertyDecorator => IsString({ message: '$property must be a string.' });

export const OptionalText = (): PropertyDecorator => OptionalMember(Text());

/** `null` removes the value. */
export const ClearableText = (): PropertyDecorator =>
  applyDecorators(
    ValidateIf((_, value) => value !== undefined && value !== null),
    IsString({ message: '$property must be a string or null.' }),
  );

export const Cursor = (): PropertyDecorator =>
  OptionalMember(Matches(/^\d{1,15}$/, { message: '$property must be the next_cursor of an answer.' }));

export const Limit = (): PropertyDecorator =>
  OptionalMember(Matches(/^(?:[1-9]\d?|1\d\d|200)$/, { message: '$property must be a whole number from 1 to 200.' }));

export const Flag = (): PropertyDecorator =>
  OptionalMember(Matches(/^(?:true|false)$/, { message: '$property must be true or false.' }));

/** A filter that is `true` or left out. `false` is refused, because it would seem to select the opposite. */
export const OnlyTrue = (): PropertyDecorator =>
  OptionalMember(Matches(/^true$/, { message: '$property must be true or left out.' }));

export const OptionalObject = (): PropertyDecorator => OptionalMember(IsObject({ message: '$property must be a JSON object.' }));

export const OptionalTexts = (): PropertyDecorator =>
  OptionalMember(
    IsString({ each: true, message: '$property must be a list of strings.' }),
    IsArray({ message: '$property must be a list of strings.' }),
  );

/** A date or a time in UTC. */
export const Instant = (): PropertyDecorator =>
  Matches(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/, {
    message: '$property must be a date or a time in UTC, such as 2026-01-31 or 2026-01-31T12:00Z.',
  });

export const OptionalInstant = (): PropertyDecorator => OptionalMember(Instant());

/** Message for a wrong number of days until a scheduled deletion. */
export const DAYS_RULE = { message: '$property must be a whole number from 1 to 90.' };
