/** How people of an OpenID provider receive accounts (`OIDC_PROVIDERS`, docs/people.md). */

/** The claim must be one of the values, or a list that contains one of them. */
export interface RequiredClaim {
  claim: string;
  values: readonly (string | number | boolean)[];
}

/** Names of claims; a name that begins with a slash is a JSON Pointer (RFC 6901). */
export interface ProvisionSettings {
  username: string;
  displayName: string;
  email: string;
  /** Whether an address is taken to be verified if the provider sends `email_verified`. */
  emailVerified: boolean;
  /** If absent, groups do not change. */
  groups?: string;
  /** Whether the first group is the account's `group_name`. */
  groupName: boolean;
  /** Attributes of the account, and the claims that fill them. */
  attributes: Readonly<Record<string, string>>;
  /** See `LdapSettings.subjectPrefix`. */
  subjectPrefix?: string;
}
