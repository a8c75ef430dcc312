/** Kinds of values for the provider settings: Microsoft tenants, signing keys, and the list of further providers. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { ProviderCredential, ProviderSettings } from './value-types.js';
import { defined } from './defined.js';
import { toDomain } from './domains.js';
import { OAUTH_DEFAULTS, OAUTH_TYPES, PRESET_NAMES, findPreset, isOAuthType, type OAuthType } from './provider-presets.js';
import { isLoopback, isSafeAddress } from './safe-address.js';
import { jsonList, type EntryFault } from './json-list.js';
import { PROVISION_FAULTS, PROVISION_MEMBERS, toProvision, type ProvisionEntry } from './provision-kinds.js';
import type { Kind } from './settings-kinds.js';

const TENANT_WORDS = ['common', 'organizations', 'consumers'];
const TENANT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Ids of the three built-in providers, and words that are, or may become, path segments below `/login/`. */
const RESERVED_IDS = [
  'google',
  'microsoft',
  'apple',
  'native',
  'passkey',
  'code',
  'proceed',
  'task',
  'account',
  'callback',
  'register',
  'error',
];
const MAX_NAME_LENGTH = 40;
/** Host and path of an issuer, without scheme and final slash. */
const ISSUER_DOMAIN = /^[a-z0-9][a-z0-9.-]*(\/[A-Za-z0-9._~-]+)*$/;
const MAX_DOMAINS = 100;

/** One of the names of Microsoft's shared endpoints, or a list of tenant ids; converted to lower case. */
export const tenants: Kind<readonly string[]> = {
  label: 'tenants',
  read(value) {
    const names = value
      .split(/[,\s]+/)
      .filter((part) => part !== '')
      .map((part) => part.toLowerCase());
    const isWord = names.length === 1 && TENANT_WORDS.includes(names[0] ?? '');
    const areIds = names.length > 0 && names.every((name) => TENANT_ID.test(name));
    return isWord || areIds
      ? { value: [...new Set(names)] }
      : { fault: `is neither one of ${TENANT_WORDS.join(', ')} nor a list of tenant ids` };
  },
};

/** A P-256 key in PEM form. Its line breaks may be written as `\n`, and the whole key may be encoded in base64. */
export const signingKey: Kind<string> = {
  label: 'PEM',
  read(value) {
    const key = readKey(value);
    return key?.asymmetricKeyDetails?.namedCurve === 'prime256v1'
      ? { value: exportKey(key) }
      : { fault: 'is not a private key of the curve P-256 in PEM form' };
  },
};

/** A list entry without faults. */
interface Entry extends ProvisionEntry {
  id: string;
  type?: OAuthType;
  preset?: string;
  domain?: string;
  name?: string;
  issuer?: string;
  client_id: string;
  client_secret?: string;
  private_key?: string;
  key_id?: string;
  scopes?: string[];
  domains?: string[];
}

/** The defaults of an OpenID provider. Without a preset, the entry itself has a name and an issuer, because `FAULTS` requires them. */
function toOpenIdDefaults({ preset, domain = '' }: Pick<Entry, 'preset' | 'domain'>) {
  const values = findPreset(preset);
  return { name: values?.name ?? '', issuer: values?.toIssuer(domain) ?? '', scopes: ['openid', 'profile'], emailScope: 'email' };
}

function isDomainFitting(preset: unknown, domain: unknown): boolean {
  if (!findPreset(preset)?.needsDomain) return domain === undefined;
  return isText(domain) && domain.length <= 253 && ISSUER_DOMAIN.test(domain);
}

const FAULTS: readonly EntryFault[] = [
  {
    text: 'has no id of at most 32 lower-case letters, digits and hyphens that begins with a letter',
    applies: ({ id }) => typeof id !== 'string' || !/^[a-z][a-z0-9-]{0,31}$/.test(id),
  },
  { text: `has an id that is taken (${RESERVED_IDS.join(', ')})`, applies: ({ id }) => RESERVED_IDS.includes(id as string) },
  {
    text: `has a type that is not one of ${OAUTH_TYPES.join(', ')}`,
    applies: ({ type }) => type !== undefined && !isOAuthType(type),
  },
  {
    text: `has a preset that is not one of ${PRESET_NAMES.join(', ')}, or that is set together with type or issuer`,
    applies: ({ preset, type, issuer }) =>
      preset !== undefined && (findPreset(preset) === null || type !== undefined || issuer !== undefined),
  },
  {
    text: 'needs a domain like example.okta.com or id.example.com/realms/staff if its preset is auth0, keycloak or okta, and no domain otherwise',
    applies: ({ preset, domain }) => !isDomainFitting(preset, domain),
  },
  {
    text: `has no name of at most ${MAX_NAME_LENGTH} characters`,
    applies: ({ type, preset, name }) => !((type ?? preset) !== undefined && name === undefined) && !isName(name),
  },
  {
    text: 'has no issuer that begins with https:// and has no user name, password, query or fragment',
    applies: ({ type, preset, issuer }) =>
      !((type ?? preset) !== undefined && issuer === undefined) && !(isText(issuer) && isSafeAddress(issuer)),
  },
  {
    text: 'has an issuer although its type has a fixed one: only github takes the address of a GitHub Enterprise Server, without a slash at the end',
    applies: ({ type, issuer }) => type !== undefined && issuer !== undefined && !isOAuthAddress(type, issuer as string),
  },
  { text: 'has no client_id', applies: (entry) => !isText(entry['client_id']) },
  {
    text: 'needs either client_secret or private_key',
    applies: (entry) => (entry['client_secret'] === undefined) === (entry['private_key'] === undefined),
  },
  { text: 'has a client_secret that is not a string', applies: (entry) => !isTextOrAbsent(entry['client_secret']) },
  {
    text: 'has a private_key, which its type does not take: it needs client_secret',
    applies: (entry) => entry['type'] !== undefined && entry['private_key'] !== undefined,
  },
  {
    text: 'has a private_key that is neither RSA nor of the curve P-256, in PEM form',
    applies: (entry) => entry['private_key'] !== undefined && !isSigningKey(entry['private_key']),
  },
  { text: 'has a key_id that is not a string', applies: (entry) => !isTextOrAbsent(entry['key_id']) },
  {
    text: 'has scopes that are not a list of scope names; without a type, the list must include openid',
    applies: ({ type, scopes }) =>
      scopes !== undefined && !(isScopeList(scopes) && (type !== undefined || scopes.includes('openid'))),
  },
  {
    text: `has domains that are not a list of at most ${MAX_DOMAINS} domains like example.com; wildcards are not accepted`,
    applies: ({ domains }) => domains !== undefined && !isDomainList(domains),
  },
  ...PROVISION_FAULTS,
];

/** A JSON list of providers in addition to the three built-in ones. */
export const furtherProviders: Kind<readonly ProviderSettings[]> = jsonList(
  {
    items: 'providers',
    members: [
      'id',
      'type',
      'preset',
      'domain',
      'name',
      'issuer',
      'client_id',
      'client_secret',
      'private_key',
      'key_id',
      'scopes',
      'domains',
      ...PROVISION_MEMBERS,
    ],
    faults: FAULTS,
    unique: { member: 'id', fault: (id) => `has the id ${id} twice` },
  },
  (entry) => toSettings(entry as unknown as Entry),
);

function toSettings({ id, type, client_id: clientId, ...entry }: Entry): ProviderSettings {
  const credential = parseCredential(entry);
  const defaults = type === undefined ? toOpenIdDefaults(entry) : OAUTH_DEFAULTS[type];
  const { name = defaults.name, issuer = defaults.issuer } = entry;
  // Only provisioning and offers to connect use the e-mail address; `toProviders` adds the scope for the offers.
  const emailScopes = entry.provision === true && defaults.emailScope !== null ? [defaults.emailScope] : [];
  const scopes = entry.scopes ?? [...defaults.scopes, ...emailScopes];
  return {
    ...{ id, name: name.trim(), dialect: type ?? 'oidc', issuer, clientId, credential, scopes },
    ...defined({ domains: entry.domains?.flatMap((name) => toDomain(name) ?? []) }),
    ...toProvision(entry),
  };
}

function parseCredential({ client_secret: secret, private_key: pem = '', key_id: keyId }: Partial<Entry>): ProviderCredential {
  if (secret !== undefined) return { kind: 'secret', secret };
  const key = readKey(pem);
  return { kind: 'private-key', privateKey: key ? exportKey(key) : '', ...defined({ keyId }) };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || isText(value);
}

function isSigningKey(value: unknown): boolean {
  const key = isText(value) ? readKey(value) : null;
  return key?.asymmetricKeyType === 'rsa' || key?.asymmetricKeyDetails?.namedCurve === 'prime256v1';
}

function isScopeList(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((scope) => isText(scope) && /^[\x21-\x7e]+$/.test(scope));
}

function isName(value: unknown): boolean {
  return isText(value) && value.trim() !== '' && value.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(value);
}

function isOAuthAddress(type: unknown, issuer: string): boolean {
  return !issuer.endsWith('/') && (type === 'github' || isLoopback(new URL(issuer).hostname));
}

function isDomainList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length <= MAX_DOMAINS &&
    value.every((name) => typeof name === 'string' && toDomain(name) !== null)
  );
}

function readKey(value: string): KeyObject | null {
  const text = value.replaceAll('\\n', '\n');
  const pem = text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString('utf8');
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}

function exportKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
