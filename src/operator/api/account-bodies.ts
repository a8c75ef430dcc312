/**
 * Bodies and queries of the operator API, except those in the other `*-bodies.ts` files. The types, and the values of some members, are
 * checked here; the services validate the other values.
 */
import { applyDecorators } from '@nestjs/common';
import { IsArray, IsBoolean, IsInt, IsObject, Matches, Max, Min, ValidateIf } from 'class-validator';
import { OptionalMember } from '../../gateway/http/form-fields.decorators.js';
import {
  DAYS_RULE,
  ClearableText,
  Cursor,
  Flag,
  Instant,
  Limit,
  OnlyTrue,
  OptionalInstant,
  OptionalObject,
  OptionalText,
  OptionalTexts,
  Text,
} from './body-members.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The body of a call that takes no members. */
export class NoMembers {
  [member: string]: never;
}

/** An account to create. */
export class NewAccountBody {
  @Text() username: string;
  @OptionalText() password?: string;
  @OptionalText() display_name?: string;
  @OptionalText() email?: string;
  @OptionalText() language?: string;
  @OptionalText() group_name?: string;
  /** Groups in addition to `group_name`. */
  @OptionalTexts() groups?: string[];
  /** Attributes that the setting ACCOUNT_SCHEMA allows. */
  @OptionalObject() attributes?: Record<string, unknown>;
}

/** Changes to an account. Members that are left out do not change. */
export class AccountPatchBody {
  @ClearableText() display_name?: string | null;
  @ClearableText() email?: string | null;
  /** Only together with `email`: true if the new address is known to belong to the person. */
  @OptionalMember(IsBoolean({ message: '$property must be true or false.' })) email_verified?: boolean;
  @ClearableText() language?: string | null;
  @ClearableText() group_name?: string | null;
  /** Replaces all groups except `group_name`. */
  @OptionalTexts() groups?: string[];
  /** The attributes that change; null removes an attribute. */
  @OptionalObject() attributes?: Record<string, unknown>;
  @ClearableText() picture?: string | null;
  @ClearableText() second_factor?: string | null;
}

export class AccountListQuery {
  /** Only the account with this username, in any spelling. */
  @OptionalText() username?: string;
  /** Only accounts with this e-mail address, in any spelling. */
  @OptionalText() email?: string;
  /** Only accounts that match every given word. A word matches if it begins a word of the username, display name or e-mail address. */
  @OptionalText() search?: string;
  /** Only active or only disabled accounts. */
  @OptionalMember(Matches(/^(active|disabled)$/, { message: '$property must be active or disabled.' })) status?: string;
  /** Only accounts with exactly this `group_name`. */
  @OptionalText() group_name?: string;
  /** Only accounts in exactly this group, as their `group_name` or one of their `groups`. */
  @OptionalText() group?: string;
  /** Only accounts of the user source with this id, of the provider with this issuer, or of a SCIM source (`scim:` and its id). */
  @OptionalText() source?: string;
  /** `true`: only accounts that belong to no source or provider. */
  @OnlyTrue() local?: string;
  /** Only accounts whose last sign-in was at this date or time, or later. Those that signed in last come first. */
  @OptionalInstant() signed_in_since?: string;
  /** Only accounts whose last sign-in was before this date or time. Those that signed in last come first. */
  @OptionalInstant() signed_in_before?: string;
  /** `true`: only accounts that have never signed in. */
  @OnlyTrue() never_signed_in?: string;
  /** The `next_cursor` of the previous page. */
  @OptionalMember(Matches(/^\d{1,15}(-\d{1,15})?$/, { message: '$property must be the next_cursor of an answer.' }))
  cursor?: string;
  /** Maximum number of accounts, up to 200; default: 50. */
  @Limit() limit?: string;
}

/** The client for which claims are shown. */
export class ClaimsQuery {
  /** Id of the client at Hydra. */
  @Text() client: string;
}

const ClearableInstant = (): PropertyDecorator =>
  applyDecorators(
    ValidateIf((_, value) => value !== undefined && value !== null),
    Instant(),
  );

export class AuditQuery {
  /** Only events of this kind, such as `sign-in.refused`, or of a group of kinds, such as `sign-in`. */
  @OptionalMember(
    Matches(/^[a-z]+(-[a-z]+)*(\.[a-z]+(-[a-z]+)*)?$/, {
      message: '$property must be a kind of event, such as sign-in.refused, or the part before the dot.',
    }),
  )
  kind?: string;
  /** Only events of this actor: `person`, `system`, `operator`, or `operator:` and the name of a token or the username of an operator. */
  @OptionalMember(
    Matches(/^(person|operator(:[\p{L}\p{Nd}._@+-]{1,64})?|system)$/u, {
      message: '$property must be person, operator, system, or operator: followed by the name of a token or a username.',
    }),
  )
  actor?: string;
  /** Only events that name the client with this id, such as sign-ins to it. */
  @OptionalMember(Matches(/^[^]{1,255}$/, { message: '$property must have 1 to 255 characters.' })) client?: string;
  /** Only events from this date or time on. */
  @OptionalInstant() since?: string;
  /** Only events before this date or time. */
  @OptionalInstant() until?: string;
  /** The `next_cursor` of the previous page. */
  @Cursor() cursor?: string;
  /** Maximum number of events, up to 200; default: 50. */
  @Limit() limit?: string;
}

export class AuditLogQuery extends AuditQuery {
  /** Only events of the account with this id, even if it was deleted. */
  @OptionalText() account?: string;
  /** Only events of the request with this id, which error pages and the header X-Request-Id show. */
  @OptionalMember(Matches(UUID, { message: '$property must be the id of a request.' })) request?: string;
}

/** The text of a search. */
export class SearchQuery {
  /**
   * A username, e-mail address or name, or the beginning of its words; the name of a client, or the beginning of its words; a subject;
   * or the id of an account, a request, a client or a session (`sid` of an ID token). At most 200 characters.
   */
  @Matches(/^[^]{1,200}$/, { message: '$property must have 1 to 200 characters.' }) q: string;
}

/** The page of a list of operators. */
export class OperatorListQuery {
  /** The `next_cursor` of the previous page. */
  @OptionalMember(Matches(/^[\w-]{1,1024}$/, { message: '$property must be the next_cursor of an answer.' })) cursor?: string;
  /** Maximum number of operators, up to 200; default: 50. */
  @Limit() limit?: string;
}

/** The page of a list of approvals. */
export class ApprovalListQuery {
  /** The `next_cursor` of the previous page. */
  @OptionalMember(Matches(/^[01]-\d{1,15}$/, { message: '$property must be the next_cursor of an answer.' })) cursor?: string;
  /** Maximum number of approvals, up to 200; default: 50. */
  @Limit() limit?: string;
}

/** The words that a person read to the help desk. */
export class SupportAnswerBody {
  /** Three words, in upper or lower case; spaces and hyphens are ignored. */
  @Text() words: string;
}

/** A right to grant to an account. */
export class GrantBody {
  /** `read`, `auditor`, `support` or `admin`. */
  @Text() right: string;
  /** Date or time in UTC at which the right ends; null or left out if the right does not end. */
  @ClearableInstant() ends_at?: string | null;
}

/** A person of a user source or provider, named by either `subject` or `username`. */
export class LinkBody {
  /** Id of a source in USER_SOURCES, or of a provider with `"provision": true`. */
  @Text() source: string;
  /** Id of the person at the source or provider. */
  @OptionalText() subject?: string;
  /** Name with which the person signs in at the source; not for providers. */
  @OptionalText() username?: string;
}

/** An external account with which the person signs in to the imported account. A null member is treated as left out. */
export class ImportedProviderBody {
  /** Id of a configured provider. */
  @Text() provider: string;
  /** Required if the provider has several issuers. */
  @OptionalText() issuer?: string;
  /** Exact id of the person at the provider. */
  @Text() subject: string;
  /** Name of the person at the provider, for display only; cut to 200 characters. */
  @OptionalText() label?: string;
  /** ISO 8601 with a time zone. */
  @OptionalText() connected_at?: string;
}

/** The time until an account is deleted. */
export class DeletionBody {
  /** Number of days, from 1 to 90; default: DELETION_WAIT_DAYS. */
  @OptionalMember(IsInt(DAYS_RULE), Min(1, DAYS_RULE), Max(90, DAYS_RULE)) days?: number;
}

/** One line of an import. A null member is treated as left out. */
export class ImportLineBody {
  /** UUID of the account; generated if it is left out. */
  @OptionalText() id?: string;
  /** `sub` in the tokens of apps, if it differs from the id. */
  @OptionalText() subject?: string;
  @Text() username: string;
  @OptionalText() password?: string;
  /** A bcrypt, argon2, pbkdf2 or scrypt hash, in a format that docs/import-export.md lists. */
  @OptionalText() password_hash?: string;
  @OptionalText() display_name?: string;
  @OptionalText() email?: string;
  @OptionalMember(IsBoolean({ message: '$property must be true or false.' })) email_verified?: boolean;
  @OptionalText() picture?: string;
  @OptionalText() language?: string;
  @OptionalText() group_name?: string;
  /** Groups in addition to `group_name`. */
  @OptionalTexts() groups?: string[];
  /** Attributes that the setting ACCOUNT_SCHEMA allows. */
  @OptionalObject() attributes?: Record<string, unknown>;
  /** `active` or `disabled`. */
  @OptionalText() status?: string;
  /** `optional` or `required`; if it is left out, MFA_POLICY decides. */
  @OptionalText() second_factor?: string;
  /** Base32 seed of an authenticator app: SHA-1, six digits, 30 seconds. */
  @OptionalText() totp_secret?: string;
  /** Names of second factors that need no secret. */
  @OptionalMember(IsArray({ message: '$property must be a list.' })) factors?: string[];
  /**
   * Source or provider to which the person belongs: id of a source in USER_SOURCES, or id or issuer of a provider with
   * `"provision": true`. If it is a SCIM source, the account is offered to it for 30 days.
   */
  @OptionalText() source?: string;
  /** Id of the person at the source or provider; for a SCIM source, the `externalId`. */
  @OptionalText() source_subject?: string;
  /** True if the password was copied from the source, which then no longer verifies it. */
  @OptionalMember(IsBoolean({ message: '$property must be true or false.' })) migrated?: boolean;
  /** At most one for each provider. */
  @OptionalMember(IsArray({ message: '$property must be a list.' })) providers?: ImportedProviderBody[];
  /** ISO 8601 with a time zone. */
  @OptionalText() created_at?: string;
}

export class ImportQuery {
  /** Whether to report only what would happen to each line, and change nothing. */
  @Flag() dry_run?: string;
}

export class ExportQuery {
  /** Whether to include password hashes. */
  @Flag() password_hashes?: string;
  /** Whether to include the seeds of authenticator apps, unencrypted. */
  @Flag() totp_secrets?: string;
}

export class MailListQuery {
  /** Only mails whose last try failed for this cause, such as `refused`. */
  @OptionalText() cause?: string;
  /** Only mails that will be tried again, or only those that were abandoned. */
  @OptionalMember(Matches(/^(waiting|abandoned)$/, { message: '$property must be waiting or abandoned.' })) state?: string;
  /** The `next_cursor` of the previous page. */
  @Cursor() cursor?: string;
  /** Maximum number of mails, up to 200; default: 50. */
  @Limit() limit?: string;
}

/** The mails to try again. */
export class MailCauseBody {
  /** Why their last try failed, such as `server-unreachable`. */
  @Text() cause: string;
}

export class DeliveryListQuery {
  /** Only events that are waiting, that were delivered, or that are no longer tried again automatically. */
  @OptionalMember(Matches(/^(waiting|delivered|dead)$/, { message: '$property must be waiting, delivered or dead.' }))
  state?: string;
  /** The `next_cursor` of the previous page. */
  @Cursor() cursor?: string;
  /** Maximum number of events, up to 200; default: 50. */
  @Limit() limit?: string;
}

/** The events to send again. */
export class ReplayBody {
  /** Events from this date or time on, in UTC. */
  @Instant() since: string;
  /** The `next_cursor` of the previous call. */
  @Cursor() cursor?: string;
}

/** The event to send again. */
export class ReplayEventBody {
  /** Id of the event, as in the list of deliveries. */
  @Text() event: string;
}

/** A filter of a list to save. */
export class SavedFilterBody {
  /** `people` or `activity`. */
  @Matches(/^(people|activity)$/, { message: '$property must be people or activity.' }) page: string;
  /** At most 60 characters. */
  @Matches(/^(?=.*\S)[^\p{C}\u2028\u2029]{1,60}$/u, { message: '$property must have 1 to 60 visible characters.' }) name: string;
  /** The parameters of the list as strings, without `cursor` and `limit`. */
  @IsObject({ message: '$property must be a JSON object.' }) filter: Record<string, unknown>;
}
