/** Settings of the sources from which people come (`USER_SOURCES`, docs/people.md). */

/** Which groups of a person are taken over. */
export interface TakenGroups {
  /** Names that count; absent: all. */
  only?: readonly string[];
  /** More groups of one person are left out, in the order of their names. */
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
  /** What people read; absent: the id. */
  name?: string;
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
  /** What the service says of addresses is believed. */
  emailVerified: boolean;
  /** Attributes of the account, and those of the service that fill them. */
  attributes: Readonly<Record<string, string>>;
  /** Absent: the service is not asked for groups. */
  groups?: TakenGroups;
  /** As in `LdapSettings`. */
  subjectPrefix?: string;
  /** After the first right password it is kept here, and the service is asked for this person no more. */
  migrate: boolean;
  /** Where people change their password, as long as it is there. */
  passwordUrl?: string;
  /** Time limit of each call. */
  timeoutMs: number;
}

export type SourceSettings = LdapSettings | HttpSettings;

/** People may type their e-mail address in place of a username. What a service takes, it decides. */
export function signsInByAddress(source: SourceSettings): boolean {
  return source.type === 'ldap' && source.login.some((attribute) => attribute.toLowerCase() === source.email.toLowerCase());
}
