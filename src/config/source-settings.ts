/** Settings of the sources from which people come (`USER_SOURCES`, docs/people.md). */

export interface LdapGroups {
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
  /** Names that count; absent: all. */
  only?: readonly string[];
  /** More groups of one person are left out, in the order of their names. */
  most: number;
  /** Whether the first of them is the account's `group_name`. */
  groupName: boolean;
}

export interface LdapSettings {
  type: 'ldap';
  /** Lower-case letters, digits, hyphens. Accounts keep it: another id is another source. */
  id: string;
  directory: 'ldap' | 'active-directory';
  /** `ldaps://` or `ldap://`, tried in this order. */
  urls: readonly string[];
  /** `by-address`: TLS for `ldaps:`, none for `ldap:`, which is accepted on this machine only. */
  encryption: 'by-address' | 'starttls';
  /** PEM of the authorities to trust; absent: those of the system. */
  ca?: string;
  /** Who searches; absent: nobody in particular. */
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
  /** Addresses of the directory count as verified. */
  emailVerified: boolean;
  /** Attributes of the account, and those of the directory that fill them. */
  attributes: Readonly<Record<string, string>>;
  groups?: LdapGroups;
  /** `sub` of new accounts is this, followed by the id of the person there; absent: the id of the account. */
  subjectPrefix?: string;
  /** Where people change their password. */
  passwordUrl?: string;
  /** Time limit of a connection and of each answer. */
  timeoutMs: number;
}

export type SourceSettings = LdapSettings;
