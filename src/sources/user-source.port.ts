/**
 * A user source beside the own table: a directory, or another system that knows names and passwords. The port finds a
 * person, verifies a password and says what is known of the person. It does not know accounts, limits or pages.
 */

/** What a source knows of a person. Texts come from outside and are not checked yet. */
export interface SourcePerson {
  /** Never changes and is never given to somebody else. */
  subject: string;
  username: string;
  /** All names under which this person signs in there. */
  names?: readonly string[];
  displayName?: string;
  email?: string;
  emailVerified: boolean;
  /** All of them; empty: none. Absent if the source is not asked for groups. */
  groups?: readonly string[];
  /** The first group is the account's `group_name` too. */
  hasGroupName?: boolean;
  /** Those that the source is asked for; null: it has none, also if it had one before. */
  attributes: Readonly<Record<string, unknown>>;
  /** False: the source would not let this person sign in. */
  isActive: boolean;
}

/** Where a person was found; what is in it belongs to the source. */
export interface FoundPerson {
  readonly subject: string;
}

/** By the name that was typed, or by the id that never changes. */
export type PersonKey = { identifier: string } | { subject: string };

export type SourceVerdict =
  | { kind: 'proven'; person: SourcePerson }
  /** The password is wrong, or the source does not say. `reason` is for the log. */
  | { kind: 'refused'; reason: string }
  /** The password is right, and has to be changed at the source before it is good for anything. */
  | { kind: 'password-change'; reason: string }
  /** The password is right, and the source does not let this person sign in: disabled, expired, not at this time. */
  | { kind: 'not-allowed'; reason: string };

/** The result of a look at a source, for the doctor. No secrets. */
export interface SourceInspection {
  /** One for each server, in the order of the settings. */
  servers: { address: string; encryption: string; fault?: string }[];
  /** Of the search for people; absent if no server was reached. `not-listed`: the source answers, and does not list its people. */
  search?: { people: number; isComplete: boolean } | { fault: string } | 'not-listed';
  /** Names under which people sign in, as far as they were read. */
  usernames: readonly string[];
  /** Those of each person, as far as they were read and the source is asked for any. */
  attributes?: readonly SourcePerson['attributes'][];
  /** Attributes of the settings that people lack, as far as they were read. */
  missing?: readonly MissingAttribute[];
  /** Absent if the source is not asked for groups. */
  groups?: GroupsInspection;
}

export interface MissingAttribute {
  /** Member of `USER_SOURCES`, and the attribute that it names. */
  setting: string;
  attribute: string;
  people: number;
  /** Nobody can sign in for the first time without it. */
  isNeeded: boolean;
}

/** `missing`: no group has the attribute that this member of `groups` names. */
export type GroupsInspection =
  | { isEmpty: boolean; missing: readonly { setting: string; attribute: string }[] }
  | { fault: string };

export abstract class UserSource {
  abstract readonly id: string;
  /** What people read. */
  abstract readonly name: string;
  /** Where people change their password. */
  abstract readonly passwordUrl?: string | undefined;
  /** False: people sign in under their username only. */
  readonly hasSeveralNames: boolean = true;
  /** There may be people whose password was kept here: also of before, where the setting is off by now. */
  readonly canMigrate: boolean = false;
  /** A password that was right is kept here, and the source is asked for its person no more. */
  readonly migrates: boolean = false;

  /** @returns null for nobody @throws SeveralPeople, SourceUnavailable */
  abstract find(key: PersonKey): Promise<FoundPerson | null>;

  /** @param password not empty @throws SourceUnavailable */
  abstract verify(found: FoundPerson, password: string): Promise<SourceVerdict>;

  /** @throws SourceUnavailable */
  abstract describe(found: FoundPerson): Promise<SourcePerson>;

  /**
   * As much work for both sides as `verify`, without a password of a person: so that an answer takes as long for a name that
   * the source does not know. @throws SourceUnavailable
   */
  abstract standIn(): Promise<void>;

  /** @param most names that are read. Never throws */
  abstract inspect(most: number): Promise<SourceInspection>;

  abstract close(): Promise<void>;
}
