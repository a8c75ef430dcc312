/** Bodies and queries of the operator API. Only types are checked here; the accounts validate the values. */
import { applyDecorators } from '@nestjs/common';
import { IsArray, IsBoolean, IsInt, IsObject, IsString, Matches, Max, Min, ValidateIf } from 'class-validator';
import { OptionalMember } from '../../gateway/http/form-fields.decorators.js';

const Text = (): PropertyDecorator => IsString({ message: '$property has to be a text.' });

const OptionalText = (): PropertyDecorator => OptionalMember(Text());

/** `null` removes the value. */
const ClearableText = (): PropertyDecorator =>
  applyDecorators(
    ValidateIf((_, value) => value !== undefined && value !== null),
    IsString({ message: '$property has to be a text, or null.' }),
  );

const Cursor = (): PropertyDecorator =>
  OptionalMember(Matches(/^\d{1,15}$/, { message: '$property has to be the next_cursor of an answer.' }));

const Limit = (): PropertyDecorator =>
  OptionalMember(Matches(/^(?:[1-9]\d?|1\d\d|200)$/, { message: '$property has to be a number from 1 to 200.' }));

const Flag = (): PropertyDecorator =>
  OptionalMember(Matches(/^(?:true|false)$/, { message: '$property has to be true or false.' }));

const OptionalObject = (): PropertyDecorator => OptionalMember(IsObject({ message: '$property has to be a JSON object.' }));

const OptionalTexts = (): PropertyDecorator =>
  OptionalMember(
    IsString({ each: true, message: '$property has to be a list of texts.' }),
    IsArray({ message: '$property has to be a list of texts.' }),
  );

const WAIT = { message: '$property has to be a whole number from 1 to 90.' };

/** For calls without members. */
export class NoMembers {
  [member: string]: never;
}

/** A new account. */
export class NewAccountBody {
  @Text() username: string;
  @OptionalText() password?: string;
  @OptionalText() display_name?: string;
  @OptionalText() email?: string;
  @OptionalText() language?: string;
  @OptionalText() group_name?: string;
  /** Groups beside `group_name`. */
  @OptionalTexts() groups?: string[];
  /** As the setting ACCOUNT_SCHEMA allows them. */
  @OptionalObject() attributes?: Record<string, unknown>;
}

/** Changes of an account. */
export class AccountPatchBody {
  @ClearableText() display_name?: string | null;
  @ClearableText() email?: string | null;
  /** Goes with `email`: the new address is known to be the person's. */
  @OptionalMember(IsBoolean({ message: '$property has to be true or false.' })) email_verified?: boolean;
  @ClearableText() language?: string | null;
  @ClearableText() group_name?: string | null;
  /** Replaces the groups beside `group_name`. */
  @OptionalTexts() groups?: string[];
  /** Only those that change; null removes one. */
  @OptionalObject() attributes?: Record<string, unknown>;
  @ClearableText() picture?: string | null;
  @ClearableText() second_factor?: string | null;
}

export class AccountListQuery {
  /** Only the account with this name, in any spelling of it. */
  @OptionalText() username?: string;
  /** Only accounts with this e-mail address, in any spelling of it. */
  @OptionalText() email?: string;
  /** Words of username, display name and e-mail address, or their beginnings; all must occur. */
  @OptionalText() search?: string;
  /** Only active or only disabled accounts. */
  @OptionalMember(Matches(/^(active|disabled)$/, { message: '$property has to be active or disabled.' })) status?: string;
  /** Only accounts with exactly this `group_name`. */
  @OptionalText() group_name?: string;
  /** Only accounts of exactly this group: as their `group_name`, or as one of `groups`. */
  @OptionalText() group?: string;
  /** `next_cursor` of the previous page. */
  @Cursor() cursor?: string;
  /** At most so many, up to 200; 50 when it is left out. */
  @Limit() limit?: string;
}

/** Whose claims. */
export class ClaimsQuery {
  /** Id of the client at Hydra. */
  @Text() client: string;
}

/** A date, or a time in UTC. */
const Instant = (): PropertyDecorator =>
  OptionalMember(
    Matches(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/, {
      message: '$property has to be a day or a moment like 2026-01-31T12:00Z.',
    }),
  );

export class AuditQuery {
  /** Only events of this kind, like `sign-in.refused`, or of all kinds that begin with it, like `sign-in`. */
  @OptionalMember(Matches(/^[a-z]+(-[a-z]+)*(\.[a-z]+)?$/, { message: '$property has to be a kind of event, or its beginning.' }))
  kind?: string;
  @OptionalMember(
    Matches(/^(person|operator(:[a-z0-9-]{1,32})?|system)$/, {
      message: '$property has to be person, operator, operator: and the name of a token, or system.',
    }),
  )
  actor?: string;
  @Instant() since?: string;
  @Instant() until?: string;
  @Cursor() cursor?: string;
  @Limit() limit?: string;
}

export class AuditLogQuery extends AuditQuery {
  @OptionalText() account?: string;
}

/** A person of a source or provider, by either `subject` or `username`. */
export class LinkBody {
  /** Id of a source in USER_SOURCES, or of a provider with provision. */
  @Text() source: string;
  /** Id of the person there. */
  @OptionalText() subject?: string;
  /** What the person signs in with there; not for providers. */
  @OptionalText() username?: string;
}

/** An external account that signs in to the account of its line. A member that is null counts as left out. */
export class ImportedProviderBody {
  /** Id of a provider that is set up here. */
  @Text() provider: string;
  /** May be left out where the provider has only one. */
  @OptionalText() issuer?: string;
  /** What names the person there, to the letter. */
  @Text() subject: string;
  /** As the provider calls them: for eyes only, cut to 200 characters. */
  @OptionalText() label?: string;
  /** ISO 8601 with its zone. */
  @OptionalText() connected_at?: string;
}

/** When an account is to be deleted. */
export class DeletionBody {
  /** From 1 to 90; default: DELETION_WAIT_DAYS. */
  @OptionalMember(IsInt(WAIT), Min(1, WAIT), Max(90, WAIT)) days?: number;
}

/** One line of an import. A member that is null counts as left out. */
export class ImportLineBody {
  /** UUID under which apps know the person; drawn when it is left out. */
  @OptionalText() id?: string;
  /** What apps know the person by (`sub`), where that is not the id. */
  @OptionalText() subject?: string;
  @Text() username: string;
  @OptionalText() password?: string;
  /** bcrypt, argon2, pbkdf2 or scrypt, in the forms that docs/import-export.md lists. */
  @OptionalText() password_hash?: string;
  @OptionalText() display_name?: string;
  @OptionalText() email?: string;
  @OptionalMember(IsBoolean({ message: '$property has to be true or false.' })) email_verified?: boolean;
  @OptionalText() picture?: string;
  @OptionalText() language?: string;
  @OptionalText() group_name?: string;
  /** Groups beside `group_name`. */
  @OptionalTexts() groups?: string[];
  /** As the setting ACCOUNT_SCHEMA allows them. */
  @OptionalObject() attributes?: Record<string, unknown>;
  /** `active` or `disabled`. */
  @OptionalText() status?: string;
  /** `optional` or `required`; as the installation has it when it is left out. */
  @OptionalText() second_factor?: string;
  /** Base32 seed of an authenticator app: SHA-1, six digits, 30 seconds. */
  @OptionalText() totp_secret?: string;
  /** Names of second factors that need no secret. */
  @OptionalMember(IsArray({ message: '$property has to be a list.' })) factors?: string[];
  /** Id of a source in USER_SOURCES, or id or issuer of a provider with provision: the account belongs to a person there. */
  @OptionalText() source?: string;
  /** Id of the person there. */
  @OptionalText() source_subject?: string;
  /** The password was taken over from the source: the account is one of its own. */
  @OptionalMember(IsBoolean({ message: '$property has to be true or false.' })) migrated?: boolean;
  /** One of each provider at most. */
  @OptionalMember(IsArray({ message: '$property has to be a list.' })) providers?: ImportedProviderBody[];
  /** ISO 8601 with its zone. */
  @OptionalText() created_at?: string;
}

export class ImportQuery {
  /** Says what would become of each line, and writes nothing. */
  @Flag() dry_run?: string;
}

export class ExportQuery {
  /** With hashes of passwords. */
  @Flag() password_hashes?: string;
  /** With seeds of authenticator apps, in plain. */
  @Flag() totp_secrets?: string;
}
