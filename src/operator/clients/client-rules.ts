/**
 * The rules for the texts, addresses and scopes that operators register for a client. The functions are pure, because the command line
 * checks a whole file with them before it changes anything. Hydra has further rules.
 */
import { countCodePoints, isPrintable } from '../../accounts/account/written-text.js';
import { isObject } from '../../config/settings-kinds.js';
import { readClientSettings } from '../../hydra/client-settings.js';
import type { ClientMembers } from '../../hydra/registered-client.js';
import { shortenText } from '../../config/cut-text.js';

/** The members of a client that operators may change, under Hydra's names; `foyer` is the member of the metadata. */
export interface ClientChanges {
  client_name?: string;
  owner?: string;
  redirect_uris?: string[];
  post_logout_redirect_uris?: string[];
  allowed_cors_origins?: string[];
  scope?: string;
  audience?: string[];
  contacts?: string[];
  client_uri?: string;
  logo_uri?: string;
  policy_uri?: string;
  tos_uri?: string;
  backchannel_logout_uri?: string;
  backchannel_logout_session_required?: boolean;
  token_endpoint_auth_method?: string;
  skip_consent?: boolean;
  skip_logout_consent?: boolean;
  foyer?: Record<string, unknown>;
}

export interface ClientMemberFault {
  /** Name of the member. */
  field: string;
  /** A sentence. */
  message: string;
}

/** Finds what is wrong with a value of a member, or with an entry of its list; returns null for a valid value. */
type Rule = (value: string) => string | null;

const CLIENT_LIMITS = { id: 255, name: 100, text: 2000, entries: 100 } as const;
const AUTH_METHODS: readonly string[] = ['client_secret_basic', 'client_secret_post', 'none'];

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;
/** Printable ASCII without the characters that an address must not contain unencoded (RFC 3986, appendix A). */
const ADDRESS = /^[^\s"<>\\^`{|}\p{Cc}\u007f-\u{10ffff}]+$/u;
/** The host as it is written: browsers decode `%`, so a host with percent-encoding leads to another host than it seems to. */
const WRITTEN_HOST = /^https?:\/\/([^/?]+)/i;
/** RFC 8252, section 7.1: a reversed domain name, which contains a dot. */
const PRIVATE_USE_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;
const CLIENT_ID = /^[\x21-\x7e]+$/;
/** One name (RFC 6749, section 3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

const RULES: Readonly<Partial<Record<keyof ClientChanges, Rule>>> = {
  client_name: findNameFault,
  owner: findTextFault,
  contacts: findTextFault,
  redirect_uris: findRedirectFault,
  post_logout_redirect_uris: findRedirectFault,
  allowed_cors_origins: findOriginFault,
  scope: findScopeFault,
  audience: findAudienceFault,
  client_uri: findWebAddressFault,
  logo_uri: findLogoFault,
  policy_uri: findWebAddressFault,
  tos_uri: findWebAddressFault,
  backchannel_logout_uri: findWebAddressFault,
  token_endpoint_auth_method: (value) => (AUTH_METHODS.includes(value) ? null : `is not one of ${AUTH_METHODS.join(', ')}`),
};

/** Members that may be empty: an empty text removes the value. */
const CLEARABLE_FIELDS: readonly string[] = [
  'owner',
  'client_uri',
  'logo_uri',
  'policy_uri',
  'tos_uri',
  'backchannel_logout_uri',
];

/**
 * @param changes members of the right types
 * @param currentClient the client before the change; the rules for single values do not apply to its existing values, so that an old
 * address does not prevent other changes
 */
export function findClientFaults(changes: ClientChanges, currentClient: Partial<ClientMembers> = {}): ClientMemberFault[] {
  const faults: ClientMemberFault[] = [];
  for (const [field, rule] of Object.entries(RULES)) {
    const change = changes[field as keyof ClientChanges] as string | readonly string[] | undefined;
    if (change === undefined || (change === '' && CLEARABLE_FIELDS.includes(field))) continue;
    const currentValues = [currentClient[field as keyof ClientMembers] ?? []].flat();
    const values = typeof change === 'string' ? [change] : change;
    if (values.length > CLIENT_LIMITS.entries)
      faults.push({ field, message: `${field} has more than ${CLIENT_LIMITS.entries} entries.` });
    for (const value of values.slice(0, CLIENT_LIMITS.entries)) {
      const fault = currentValues.includes(value) ? null : rule(value);
      if (fault !== null) faults.push({ field, message: `${field}: ${quoteShort(value)} ${fault}.` });
    }
    if (new Set(values).size < values.length) faults.push({ field, message: `${field} contains an entry twice.` });
  }
  if (changes.foyer !== undefined) faults.push(...findFoyerFaults(changes.foyer));
  return [...faults, ...findLogoutOriginFaults(changes, currentClient)];
}

/**
 * Hydra refuses ids that are longer than its database column. Blanks and non-ASCII characters would have to be encoded in every address,
 * and `.` and `..` would change the path of an address.
 */
export function findClientIdFault(id: string): string | null {
  if (id === '.' || id === '..') return 'must not be "." or ".."';
  if (!CLIENT_ID.test(id)) return 'must consist of printable ASCII characters without blanks';
  return id.length > CLIENT_LIMITS.id ? `must not have more than ${CLIENT_LIMITS.id} characters` : null;
}

/** Hydra accepts ids with slashes, but may then be unable to show or delete the client (v2.3.0, v26.2.0). */
export function findNewClientIdFault(id: string): string | null {
  return id.includes('/') ? 'must not contain slashes' : findClientIdFault(id);
}

function findFoyerFaults(foyer: Readonly<Record<string, unknown>>): ClientMemberFault[] {
  const { faults } = readClientSettings({ metadata: { foyer } });
  return faults.map(({ member, fault }) => ({ field: 'foyer', message: `foyer: ${quoteShort(member)} ${fault}.` }));
}

/** Applies a rule of Hydra: after a logout, people may return only to an origin to which sign-ins may lead. */
function findLogoutOriginFaults(changes: ClientChanges, currentClient: Partial<ClientMembers>): ClientMemberFault[] {
  const field = 'post_logout_redirect_uris';
  if (changes.redirect_uris === undefined && changes[field] === undefined) return [];
  const origins = (changes.redirect_uris ?? currentClient.redirect_uris ?? []).map(toOrigin);
  const foreignAddresses = (changes[field] ?? currentClient[field] ?? []).filter(
    (address) => !origins.includes(toOrigin(address)),
  );
  return foreignAddresses.map((address) => ({
    field,
    message: `${field}: ${quoteShort(address)} does not have the scheme, host and port of one of the redirect_uris.`,
  }));
}

function toOrigin(address: string): string {
  if (!URL.canParse(address)) return address;
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}`;
}

function findNameFault(name: string): string | null {
  if (name.trim() === '') return 'is empty';
  if (countCodePoints(name) > CLIENT_LIMITS.name) return `has more than ${CLIENT_LIMITS.name} characters`;
  return isPrintable(name) ? null : 'contains line breaks, control characters or direction marks';
}

function findTextFault(text: string): string | null {
  if (text.trim() === '') return 'is empty';
  if (text.length > CLIENT_LIMITS.text) return `has more than ${CLIENT_LIMITS.text} characters`;
  return isPrintable(text) ? null : 'contains line breaks, control characters or direction marks';
}

function findScopeFault(scope: string): string | null {
  if (scope.length > CLIENT_LIMITS.text) return `has more than ${CLIENT_LIMITS.text} characters`;
  if (scope.trim() === '') return 'is empty';
  const isList = scope.split(' ').every((name) => SCOPE.test(name));
  return isList
    ? null
    : 'must be a list of names in printable ASCII characters, separated by single spaces, without double quotes or backslashes';
}

function findAudienceFault(audience: string): string | null {
  if (audience.length > CLIENT_LIMITS.text) return `has more than ${CLIENT_LIMITS.text} characters`;
  if (audience === '') return 'is empty';
  return SCOPE.test(audience) ? null : 'must consist of printable ASCII characters without spaces, double quotes or backslashes';
}

/** RFC 9700, section 2.1, and RFC 8252, section 7: an attacker who can redirect the browser to another address receives the code. */
function findRedirectFault(address: string): string | null {
  const fault = findAddressFault(address);
  if (fault !== null) return fault;
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:') return null;
  if (protocol === 'http:')
    return LOOPBACK.test(hostname) ? null : 'must use https: http is only for addresses of the local machine';
  if (PRIVATE_USE_SCHEME.test(protocol)) return null;
  return 'has a scheme that is not allowed: use https, or a reversed domain name as the scheme, such as org.example.shop:/callback';
}

function findWebAddressFault(address: string): string | null {
  const fault = findAddressFault(address);
  if (fault !== null) return fault;
  return ['https:', 'http:'].includes(new URL(address).protocol) ? null : 'must begin with https:// or http://';
}

function findLogoFault(address: string): string | null {
  const fault = findWebAddressFault(address);
  if (fault !== null) return fault;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || hostname === 'localhost' ? null : 'must use https: http is only for logos at localhost';
}

function findOriginFault(address: string): string | null {
  const fault = findWebAddressFault(address);
  if (fault !== null) return fault;
  if (new URL(address).origin === address) return null;
  const rule = 'host in lower case, without the default port and without a path';
  return `must be an origin as browsers send it, such as https://app.example.org: ${rule}`;
}

function findAddressFault(address: string): string | null {
  if (address.length > CLIENT_LIMITS.text) return `has more than ${CLIENT_LIMITS.text} characters`;
  if (address !== '' && !ADDRESS.test(address)) return 'contains a blank or another character that is not allowed in an address';
  if (!URL.canParse(address)) return 'is not a complete address';
  if (address.includes('#')) return 'has a fragment (#), which never reaches a server';
  if (address.includes('*')) return 'must not contain a wildcard (*)';
  const { username, password, protocol } = new URL(address);
  if (username !== '' || password !== '') return 'contains a username or password';
  if (!/^https?:$/.test(protocol)) return null;
  const [, host] = WRITTEN_HOST.exec(address) ?? [];
  if (host === undefined) return 'is not a complete address';
  return /[%@]/.test(host) ? 'must have a host without % or @' : null;
}

const MAX_QUOTED_LENGTH = 200;

/** Quotes a value in a message. Characters that could reorder the text around it are escaped. */
function quoteShort(text: string): string {
  return JSON.stringify(shortenText(text, MAX_QUOTED_LENGTH)).replace(
    /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Replaces the member `foyer` of the metadata; other members stay. An empty `foyer` removes the member. */
export function replaceFoyer(metadata: unknown, foyer: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { foyer: _former, ...otherMembers } = isObject(metadata) ? metadata : {};
  return Object.keys(foyer).length === 0 ? otherMembers : { ...otherMembers, foyer };
}
