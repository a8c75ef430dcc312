/** What callers may send, by call. Types only: what a value means is checked where it is kept. */
import { applyDecorators } from '@nestjs/common';
import { IsString, Matches, ValidateIf } from 'class-validator';

const Text = (): PropertyDecorator => IsString({ message: '$property has to be a text.' });

const Optional = (check: PropertyDecorator): PropertyDecorator =>
  applyDecorators(
    ValidateIf((_, value) => value !== undefined),
    check,
  );

const OptionalText = (): PropertyDecorator => Optional(Text());

/** `null` takes the value away. */
const ClearableText = (): PropertyDecorator =>
  applyDecorators(
    ValidateIf((_, value) => value !== undefined && value !== null),
    IsString({ message: '$property has to be a text, or null.' }),
  );

const Cursor = (): PropertyDecorator =>
  Optional(Matches(/^\d{1,15}$/, { message: '$property has to be the next_cursor of an answer.' }));

export class NewAccountBody {
  @Text() username: string;
  @OptionalText() password?: string;
  @OptionalText() display_name?: string;
  @OptionalText() email?: string;
  @OptionalText() language?: string;
  @OptionalText() group_name?: string;
}

export class AccountPatchBody {
  @ClearableText() display_name?: string | null;
  @ClearableText() email?: string | null;
  @ClearableText() language?: string | null;
  @ClearableText() group_name?: string | null;
  @ClearableText() picture?: string | null;
  @ClearableText() second_factor?: string | null;
}

export class AccountListQuery {
  @OptionalText() username?: string;
  @OptionalText() email?: string;
  @Cursor() cursor?: string;
  @Optional(Matches(/^(?:[1-9]\d?|1\d\d|200)$/, { message: '$property has to be a number from 1 to 200.' })) limit?: string;
}

export class AuditQuery {
  @Cursor() cursor?: string;
}
