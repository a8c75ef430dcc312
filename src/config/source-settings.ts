/** Settings of the user sources (`USER_SOURCES`, docs/people.md). */

/** The selection of a person's groups that the account receives. */
export interface GroupSelection {
  /** Names of the groups that the account may receive; if absent, all. */
  only?: readonly string[];
  /** Maximum number of groups of one person; further groups, in the order of their names, are left out. */
  most: number;
  /** Whether the first of these groups is the account's `group_name`. */
  groupName: boolean;
}

export interface LdapGroups extends GroupSelection {
  base: string;
  /** Filter for the entries that are groups (RFC 4515). */
  filter: string;
  /** Attribute with the name of a group. */
  name: string;
  /** Attribute of a group with the names of its members; `memberUid` contains usernames, other attributes distinguished names. */
  member: string;
  /**
   * Nested groups: `rule` lets Active Directory resolve them (matching rule 1.2.840.113556.1.4.1941); `search` searches for the
   * groups of the groups, up to five levels.
   */
  nested: 'none' | 'rule' | 'search';
}

export interface LdapSettings {
  type: 'ldap';
  /** Lower-case letters, digits, hyphens. Accounts store the id, so another id is another user source. */
  id: string;
  /** Name that people see; if absent, the id. */
  name?: string;
  directory: 'ldap' | 'active-directory';
  /** Addresses with `ldaps://` or `ldap://`; the servers are tried in the order of this list. */
  urls: readonly string[];
  /** `by-address`: TLS for `ldaps:`, none for `ldap:`, which is accepted only on this machine. */
  encryption: 'by-address' | 'starttls';
  /** PEM of the authorities to trust; if absent, those that Node.js trusts. */
  ca?: string;
  /** The search account; if absent, the search is anonymous. */
  bind?: { dn: string; password: string };
  base: string;
  /** Filter for the entries that are people (RFC 4515). */
  filter: string;
  /** Attributes whose values people enter to sign in. */
  login: readonly string[];
  /** Attribute with the id that never changes. */
  subject: string;
  username: string;
  displayName: string;
  email: string;
  /** Whether the e-mail addresses of the directory are treated as verified. */
  emailVerified: boolean;
  /** Attributes of the account, and the attributes of the directory that fill them. */
  attributes: Readonly<Record<string, string>>;
  groups?: LdapGroups;
  /** The `sub` of a new account is this prefix and the id of the person in the directory; if absent, it is the id of the account. */
  subjectPrefix?: string;
  /** For an address of one of these domains, only this source is queried. The domains are as `toDomain` returns them. */
  domains?: readonly string[];
  /** Address at which people change their password. */
  passwordUrl?: string;
  /** Time limit of a connection and of each answer. */
  timeoutMs: number;
}

export interface HttpSettings {
  type: 'http';
  /** As in `LdapSettings`. */
  id: string;
  name?: string;
  /** The calls are `/lookup` and `/verify` below it; without a slash at the end. */
  url: string;
  /** Name of the service in signed calls: the audience of the questions and the issuer of the answers. */
  issuer: string;
  /** The key, or the address of the keys, with which the answers are verified. */
  proof: { kind: 'secret'; secret: string } | { kind: 'jwks'; url: string };
  /** PEM of the authorities to trust; if absent, those that Node.js trusts. */
  ca?: string;
  /** Whether the `email_verified` of the service is trusted. */
  emailVerified: boolean;
  /** Attributes of the account, and the members of the service's answer that fill them. */
  attributes: Readonly<Record<string, string>>;
  /** If absent, groups are not requested from the service. */
  groups?: GroupSelection;
  /** As in `LdapSettings`. */
  subjectPrefix?: string;
  /** As in `LdapSettings`. */
  domains?: readonly string[];
  /** Whether a correct password is copied here, after which the service is no longer queried about the person. */
  migrate: boolean;
  /** Address at which people change their password, unless it was copied here. */
  passwordUrl?: string;
  /** Time limit of each call. */
  timeoutMs: number;
}

export type SourceSettings = LdapSettings | HttpSettings;

/** A source that sends people by SCIM 2.0 (docs/scim.md). It is never queried. */
export interface ScimSettings {
  type: 'scim';
  /** As in `LdapSettings`. */
  id: string;
  name?: string;
  /** The bearer tokens of the SCIM client, newest first; two while one is being replaced. */
  tokens: readonly string[];
  /** How its people sign in; if absent, as the other settings allow. */
  signIn?: {
    /** Id of the provider. */
    provider: string;
    /**
     * The claim of the ID token, or of the user API of a provider without ID tokens, that equals the `externalId` of the person.
     */
    claim: string;
  };
  /** Whether its people have a password here, which the client may also send. */
  password: boolean;
  /** Whether the e-mail addresses of the source are treated as verified. */
  emailVerified: boolean;
  /** Attributes of the account, and the paths of the SCIM attributes that fill them. */
  attributes: Readonly<Record<string, string>>;
  /** If absent, the groups of accounts do not change. */
  groups?: GroupSelection;
  /** The effect of a DELETE on the account. */
  onDelete: 'delete' | 'disable';
  /** Prefix of the `sub` of a new account, which the `externalId` follows; if absent, the `sub` is the id of the account. */
  subjectPrefix?: string;
  /** Address at which people change their password, if they have none here. */
  passwordUrl?: string;
}

/**
 * Whether people of a source can sign in with their e-mail addresses: the source has `domains`, or it is a directory that is searched by
 * address. A service without `domains` decides about this itself; it is not known here.
 */
export function signsInByAddress(source: SourceSettings): boolean {
  if (source.domains !== undefined) return true;
  return source.type === 'ldap' && source.login.some((attribute) => attribute.toLowerCase() === source.email.toLowerCase());
}
