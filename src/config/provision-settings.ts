/** How people of an OpenID provider get accounts (`OIDC_PROVIDERS`, docs/people.md). */

/** One of the values is that of the claim, or in its list. */
export interface RequiredClaim {
  claim: string;
  values: readonly (string | number | boolean)[];
}

/** Names of claims; a name that begins with a slash is a JSON Pointer (RFC 6901). */
export interface ProvisionSettings {
  username: string;
  displayName: string;
  email: string;
  /** An address counts as verified where the provider says `email_verified`. */
  emailVerified: boolean;
  /** Absent: groups are left as they are. */
  groups?: string;
  /** Whether the first group is the account's `group_name`. */
  groupName: boolean;
  /** Attributes of the account, and the claims that fill them. */
  attributes: Readonly<Record<string, string>>;
  /** See `SourceSettings`. */
  subjectPrefix?: string;
}
