/** The kind of value of `USER_SOURCES`: a JSON list of user sources (docs/people.md). */
import { readFileSync } from 'node:fs';
import { defined } from './defined.js';
import { isLoopback } from './safe-address.js';
import { findUnknownAttributes } from './account-schema.js';
import type { AccountSchema, ProviderSettings } from './value-types.js';
import { readJson, type JsonReader, type TextRule } from './json-reader.js';
import { fromJson, type Kind } from './settings-kinds.js';
import { readHttpSource } from './http-source-kind.js';
import { readScimSource } from './scim-source-kind.js';
import {
  ADDRESS,
  DISPLAY_NAME,
  ID,
  MAX_ATTRIBUTES,
  PEM,
  buildTextRule,
  readTextOrFile,
  readGroupSelection,
  readDomains,
  type ReadFile,
} from './source-rules.js';
import { readSubjectPrefix } from './subject-settings.js';
import type { LdapGroups, LdapSettings, ScimSettings, SourceSettings } from './source-settings.js';

const MAX_SOURCES = 8;
const MAX_URLS = 4;
const MAX_NAMES = 5;

const MEMBERS = [
  ...[
    'id',
    'name',
    'type',
    'directory',
    'urls',
    'start_tls',
    'plaintext',
    'ca',
    'ca_file',
    'bind_dn',
    'bind_password',
    'bind_password_file',
  ],
  ...['base', 'filter', 'login', 'subject', 'username', 'display_name', 'email', 'email_verified', 'attributes', 'groups'],
  ...['password_url', 'timeout_ms', 'sub', 'sub_prefix', 'domains'],
] as const;

/** An entry of `USER_SOURCES`. */
type AnySource = SourceSettings | ScimSettings;

/** The default attributes and filters of the two kinds of directory. */
const DEFAULTS = {
  ldap: {
    login: ['uid'],
    subject: 'entryUUID',
    username: 'uid',
    displayName: 'displayName',
    email: 'mail',
    filter: '(objectClass=person)',
    groups: { filter: '(objectClass=groupOfNames)', member: 'member', nested: 'none' },
  },
  'active-directory': {
    login: ['sAMAccountName', 'userPrincipalName'],
    subject: 'objectGUID',
    username: 'sAMAccountName',
    displayName: 'displayName',
    email: 'mail',
    filter: '(&(objectCategory=person)(objectClass=user))',
    groups: { filter: '(objectClass=group)', member: 'member', nested: 'rule' },
  },
} as const;

/** The name of an LDAP attribute (RFC 4512, section 1.4), without options such as `;binary`. */
const ATTRIBUTE: TextRule = {
  fault: 'is not the name of an LDAP attribute',
  isValid: (text) => /^(?:[A-Za-z][A-Za-z0-9-]{0,63}|\d+(?:\.\d+)+)$/.test(text),
};
/** The LDAP library parses the filter completely when the source is created. */
const FILTER: TextRule = { fault: 'is not an LDAP filter in parentheses (RFC 4515)', isValid: isBalanced };
const DN: TextRule = { fault: 'is not a distinguished name (RFC 4514)', isValid: (text) => /^[^=,]+=.+$/.test(text) };
const PASSWORD = buildTextRule('is not a string of 1 to 1000 characters');
const URL_RULE: TextRule = { fault: 'is not an address like ldaps://ldap.example.com', isValid: isLdapUrl };

/** @param readFile reads `ca_file`, `bind_password_file`, `secret_file` and `token_file`; throws if a file cannot be read */
export function buildUserSourcesKind(readFile: ReadFile): Kind<readonly AnySource[]> {
  return { label: 'JSON', read: (value) => fromJson(value, (parsed) => readJson(parsed, (list) => readSources(list, readFile))) };
}

export const userSources = buildUserSourcesKind((path) => readFileSync(path, 'utf8'));

/** @returns a fault for each attribute that no account can have */
export function findSourceFaults(sources: readonly AnySource[], schema?: AccountSchema): string[] {
  return sources.flatMap(({ id, attributes }) =>
    findUnknownAttributes(Object.keys(attributes), schema).map(
      (name) => `USER_SOURCES: the attribute ${JSON.stringify(name)} of the source ${id} is not in ACCOUNT_SCHEMA`,
    ),
  );
}

/**
 * @returns the tokens of SCIM sources and the secrets shared with services, under names that begin with the setting and a colon, like
 * faults; without the passwords of search accounts
 */
export function listSourceSecrets(sources: readonly AnySource[]): { name: string; value: string }[] {
  return sources.flatMap((source) => {
    if (source.type === 'scim')
      return source.tokens.map((value, index) => ({ name: `USER_SOURCES: token ${index + 1} of ${source.id}`, value }));
    return source.type === 'http' && source.proof.kind === 'secret'
      ? [{ name: `USER_SOURCES: the secret of ${source.id}`, value: source.proof.secret }]
      : [];
  });
}

/** @returns a fault for each source whose people sign in at a provider that is not configured, is shared, or has several issuers */
export function findSignInFaults(
  sources: readonly AnySource[],
  providers: readonly Pick<ProviderSettings, 'id' | 'tenants'>[],
): string[] {
  return sources.flatMap((source) => {
    if (source.type !== 'scim' || !source.signIn) return [];
    const { provider: id } = source.signIn;
    const provider = providers.find((candidate) => candidate.id === id);
    const subject = `USER_SOURCES: people of the source ${source.id} sign in at ${id}`;
    if (!provider) return [`${subject}, which is not a configured provider`];
    const twin = sources.find((other) => other !== source && other.type === 'scim' && other.signIn?.provider === id);
    // One of these sources could claim a person of the other one.
    if (twin) return [`${subject}, like the people of the source ${twin.id}: each SCIM source needs a provider of its own`];
    // In another tenant, whose owner writes the claims, a person could have the same claims.
    return hasOneIssuer(provider)
      ? []
      : [`${subject}, which accepts more than one tenant: set MICROSOFT_TENANT to the id of your own tenant`];
  });
}

function hasOneIssuer({ tenants }: Pick<ProviderSettings, 'tenants'>): boolean {
  return !tenants || (tenants.length === 1 && !['common', 'organizations', 'consumers'].includes(tenants[0] ?? ''));
}

function readSources(list: JsonReader, readFile: ReadFile): AnySource[] {
  if (list.isAbsent) return [];
  const sources = list.entries(MAX_SOURCES).map((entry) => {
    const type = entry.member('type').choice(['ldap', 'http', 'scim']);
    if (type === 'scim') return readScimSource(entry, readFile);
    return type === 'http' ? readHttpSource(entry, readFile) : readLdap(entry, readFile);
  });
  const ids = sources.map(({ id }) => id);
  for (const id of new Set(ids.filter((id, index) => id !== '' && ids.indexOf(id) !== index)))
    list.addFault(`has the id ${id} twice`);
  // The token determines to which source a call belongs.
  const tokens = sources.flatMap((source) => (source.type === 'scim' ? source.tokens : [])).filter((token) => token !== '');
  if (new Set(tokens).size < tokens.length) list.addFault('has the same token twice; every SCIM source needs tokens of its own');
  return sources;
}

function readLdap(entry: JsonReader, readFile: ReadFile): LdapSettings {
  const members = entry.members(MEMBERS);
  const directory = members.directory.choice(['ldap', 'active-directory'], 'ldap');
  const preset = DEFAULTS[directory];
  const bindDn = members.bind_dn.optionalText(DN);
  const name = members.name.optionalText(DISPLAY_NAME);
  const login = members.login.entries(MAX_NAMES).map((name) => name.text(ATTRIBUTE));
  const passwordUrl = members.password_url.optionalText(ADDRESS);
  const ca = readTextOrFile(members.ca, members.ca_file, { rule: PEM, readFile });
  const bindPassword = readTextOrFile(members.bind_password, members.bind_password_file, { rule: PASSWORD, readFile });
  if ((bindDn === undefined) !== (bindPassword === undefined))
    entry.addFault('needs bind_dn together with bind_password or bind_password_file');
  return {
    type: 'ldap',
    id: members.id.text(ID),
    ...defined({ name }),
    directory,
    ...toConnection(members, entry),
    ...defined({ ca }),
    ...(bindDn === undefined || bindPassword === undefined ? {} : { bind: { dn: bindDn, password: bindPassword } }),
    base: members.base.text(DN),
    filter: members.filter.text(FILTER, preset.filter),
    login: login.length > 0 ? login : preset.login,
    subject: members.subject.text(ATTRIBUTE, preset.subject),
    username: members.username.text(ATTRIBUTE, preset.username),
    displayName: members.display_name.text(ATTRIBUTE, preset.displayName),
    email: members.email.text(ATTRIBUTE, preset.email),
    emailVerified: members.email_verified.flag(false),
    attributes: Object.fromEntries(
      members.attributes.pairs(MAX_ATTRIBUTES).map(([name, attribute]) => [name, attribute.text(ATTRIBUTE)]),
    ),
    ...(members.groups.isAbsent ? {} : { groups: toGroups(members.groups, preset.groups) }),
    ...readSubjectPrefix(members),
    ...readDomains(members),
    ...defined({ passwordUrl }),
    timeoutMs: members.timeout_ms.number({ least: 100, most: 20_000, fallback: 3000 }),
  };
}

function toConnection(
  members: Record<'urls' | 'start_tls' | 'plaintext', JsonReader>,
  entry: JsonReader,
): Pick<LdapSettings, 'urls' | 'encryption'> {
  const urls = members.urls.entries(MAX_URLS).map((url) => url.text(URL_RULE));
  if (urls.length === 0) members.urls.addFault('names no server; set at least one address');
  const startTls = members.start_tls.flag(false);
  const plaintext = members.plaintext.flag(false);
  if (startTls && plaintext) entry.addFault('has both start_tls and plaintext; set only one of them');
  for (const url of urls.filter((text) => URL.canParse(text))) {
    const { protocol, hostname } = new URL(url);
    if (startTls && protocol === 'ldaps:') members.urls.addFault('has an address with ldaps://; use it without start_tls');
    if (protocol === 'ldaps:' || startTls) continue;
    if (!plaintext) members.urls.addFault('has an address without TLS: use ldaps:// or set start_tls');
    else if (!isLoopback(hostname))
      members.urls.addFault('has an address without TLS that is not on this machine: plaintext is for this machine only');
  }
  return { urls, encryption: startTls ? 'starttls' : 'by-address' };
}

function toGroups(groups: JsonReader, preset: (typeof DEFAULTS)[keyof typeof DEFAULTS]['groups']): LdapGroups {
  const members = groups.members(['base', 'filter', 'name', 'member', 'nested', 'only', 'most', 'group_name']);
  return {
    base: members.base.text(DN),
    filter: members.filter.text(FILTER, preset.filter),
    name: members.name.text(ATTRIBUTE, 'cn'),
    member: members.member.text(ATTRIBUTE, preset.member),
    nested: members.nested.choice(['none', 'rule', 'search'], preset.nested),
    ...readGroupSelection(members),
  };
}

function isLdapUrl(text: string): boolean {
  if (!/^ldaps?:\/\/[^\s/?#@]+\/?$/.test(text) || !URL.canParse(text)) return false;
  return new URL(text).hostname !== '';
}

function isBalanced(filter: string): boolean {
  let depth = 0;
  const isSingle = [...filter].every((character, index) => {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    return depth > 0 || index === filter.length - 1;
  });
  return isSingle && depth === 0 && filter.length > 2;
}
