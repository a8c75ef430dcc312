/**
 * A user source: a directory or service that knows people and their passwords, in addition to the accounts here. The port finds a
 * person, verifies a password and describes the person. A source has no access to accounts, limits or pages.
 */

/** A person as described by a source. The texts come from the source and are not validated yet. */
export interface SourcePerson {
  /** An id that never changes and never belongs to another person. */
  subject: string;
  username: string;
  /** All names with which this person signs in at the source; may be absent if there is only one. */
  names?: readonly string[];
  displayName?: string;
  email?: string;
  emailVerified: boolean;
  /** The groups that the settings select; absent if the source is not asked for groups. */
  groups?: readonly string[];
  /** Whether the first group also becomes the account's `group_name`. */
  hasGroupName?: boolean;
  /** The attributes that the settings name; null removes the value of the account. */
  attributes: Readonly<Record<string, unknown>>;
  /** Whether the source lets this person sign in. */
  isActive: boolean;
}

/** A person that a source has found. Other members are private to the source. */
export interface FoundPerson {
  readonly subject: string;
}

/** Identifies the person to find: by the name that was typed, or by the id that never changes. */
export type PersonKey = { identifier: string } | { subject: string };

export type SourceVerdict =
  | { kind: 'proven'; person: SourcePerson }
  /** The password is wrong, the account is locked, or the source gives no reason for the refusal. `reason` is for the log. */
  | { kind: 'refused'; reason: string }
  /** The password is correct, but has to be changed: here, if the source migrates and describes the `person`, otherwise at the source. */
  | { kind: 'password-change'; reason: string; person?: SourcePerson }
  /** The password is correct, but the source does not let this person sign in (disabled, expired, not at this time). */
  | { kind: 'not-allowed'; reason: string };

/** The state of a source, for the doctor. Contains no secrets. */
export interface SourceInspection {
  /** The servers in the order of the settings. */
  servers: { address: string; encryption: string; fault?: string }[];
  /**
   * Result of the search for people; absent if no server can be used. `not-listed`: the source answers, but cannot list people.
   */
  search?: { people: number; isComplete: boolean } | { fault: string } | 'not-listed';
  /** Names with which people sign in, as far as they were read. */
  usernames: readonly string[];
  /** The attributes of each person that was read; absent if the source is not asked for any. */
  attributes?: readonly SourcePerson['attributes'][];
  /** Attributes that the settings name and that people at the source lack. */
  missingAttributes?: readonly MissingAttribute[];
  /** Absent if the source is not asked for groups. */
  groups?: GroupsInspection;
}

export interface MissingAttribute {
  /** Member of `USER_SOURCES`, and the attribute that it names. */
  setting: string;
  attribute: string;
  people: number;
  /** A first sign-in is not possible without the attribute. */
  isNeeded: boolean;
}

/** `missingAttributes`: no group has the attribute that this member of `groups` names. */
export type GroupsInspection =
  | { isEmpty: boolean; missingAttributes: readonly { setting: string; attribute: string }[] }
  | { fault: string };

export abstract class UserSource {
  abstract readonly id: string;
  /** The name that people see. */
  abstract readonly name: string;
  /** Address at which people change their password. */
  abstract readonly passwordUrl?: string | undefined;
  /** False if people sign in with their username only. */
  readonly hasSeveralNames: boolean = true;
  /** For an address of one of these domains, which are as `toDomain` returns them, only this source is asked. */
  readonly domains: readonly string[] = [];
  /** Accounts may have moved here with their passwords, perhaps before the setting was turned off. */
  readonly canMigrate: boolean = false;
  /** After a correct password, the account stores the password here and no longer needs the source. */
  readonly migrates: boolean = false;

  /** @returns null if no person has the name or id @throws SeveralPeople, SourceUnavailable */
  abstract find(key: PersonKey): Promise<FoundPerson | null>;

  /** @param password not empty @throws SourceUnavailable */
  abstract verify(foundPerson: FoundPerson, password: string): Promise<SourceVerdict>;

  /** @throws SourceUnavailable */
  abstract describe(foundPerson: FoundPerson): Promise<SourcePerson>;

  /**
   * Does as much work, here and at the source, as `verify`, so that the answer takes as long for an unknown name as for a known one.
   * @throws SourceUnavailable
   */
  abstract verifyDummy(): Promise<void>;

  /** Never throws. @param limit the maximum number of people to read */
  abstract inspect(limit: number): Promise<SourceInspection>;

  abstract close(): Promise<void>;
}
