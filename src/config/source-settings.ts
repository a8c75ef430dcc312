/** Settings of the sources from which people come (`USER_SOURCES`, docs/people.md). */

/** Which groups of a person are taken over. */
export interface TakenGroups {
  /** Names of the groups that are taken over; if absent, all. */
  only?: readonly string[];
  /** Maximum number of groups of one person; further ones, in the order of their names, are left out. */
  most: number;
  /** Whether the first of them is the account's `group_name`. */
  groupName: boolean;
}

export interface LdapGroups extends TakenGroups {
  base: string;
  /** RFC 4515; which entries are groups. */
  filter: string;
  /** Attribute with the name of a group. */
  name: string;
  /** Attribute of a group with the names of its members; `memberUid` has usernames, others distinguished names. */
  member: string;
  /**
   * Groups in groups: `rule` asks Active Directory (matching rule 1.2.840.113556.1.4.1941), `search` asks for the groups of
   * the groups, five levels up.
   */
  nested: 'none' | 'rule' | 'search';
}

export interface LdapSettings {
  type: 'ldap';
  /** Lower-case letters, digits, hyphens. Accounts keep it: another id is another source. */
  id: string;
  /** Name for people; if absent, the id. */
  name?: string;
  directory: 'ldap' | 'active-directory';
  /** `ldaps://` or `ldap://`, tried in this order. */
  urls: readonly string[];
  /** `by-address`: TLS for `ldaps:`, none for `ldap:`, which is accepted on this machine only. */
  encryption: 'by-address' | 'starttls';
  /** PEM of the authorities to trust; absent: those of the system. */
  ca?: string;
  /** The search account; if absent, the search is anonymous. */
  bind?: { dn: string; password: string };
  base: string;
  /** RFC 4515; which entries are people. */
  filter: string;
  /** Attributes that people sign in with. */
  login: readonly string[];
  /** Attribute with the id that never changes. */
  subject: string;
  username: string;
  displayName: string;
  email: string;
  /** Whether the e-mail addresses of the directory count as verified. */
  emailVerified: boolean;
  /** Attributes of the account, and those of the directory that fill them. */
  attributes: Readonly<Record<string, string>>;
  groups?: LdapGroups;
  /** The `sub` of a new account is this prefix and the id of the person in the directory; if absent, it is the id of the account. */
  subjectPrefix?: string;
  /** Where people change their password. */
  passwordUrl?: string;
  /** Time limit of a connection and of each answer. */
  timeoutMs: number;
}

export interface HttpSettings {
  type: 'http';
  /** As for LDAP. */
  id: string;
  name?: string;
  /** The calls are `/lookup` and `/verify` below it; without a slash at the end. */
  url: string;
  /** The service: audience of the questions, issuer of the answers. */
  issuer: string;
  /** What verifies the answers. */
  proof: { kind: 'secret'; secret: string } | { kind: 'jwks'; url: string };
  /** PEM of the authorities to trust; absent: those of the system. */
  ca?: string;
  /** Whether the `email_verified` of the service is trusted. */
  emailVerified: boolean;
  /** Attributes of the account, and those of the service that fill them. */
  attributes: Readonly<Record<string, string>>;
  /** Absent: the service is not asked for groups. */
  groups?: TakenGroups;
  /** As in `LdapSettings`. */
  subjectPrefix?: string;
  /** Whether a correct password is copied here, after which the service is not asked for this person any more. */
  migrate: boolean;
  /** Where people change their password, as long as it is there. */
  passwordUrl?: string;
  /** Time limit of each call. */
  timeoutMs: number;
}

export type SourceSettings = LdapSettings | HttpSettings;

/** Whether people of a directory can sign in with their e-mail address. A service decides this itself. */
export function signsInByAddress(source: SourceSettings): boolean {
  return source.type === 'ldap' && source.login.some((attribute) => attribute.toLowerCase() === source.email.toLowerCase());
}
