/**
 * Configures the demo providers as Google, Microsoft and Apple if none are configured, so that their buttons work on
 * a first try. The product handles them like the real ones; only addresses and credentials differ.
 */
import { generateKeyPairSync } from 'node:crypto';
import type { Config, ProviderSettings } from '../../src/config/config.js';
import type { Keys } from '../../src/config/keys.js';
import { DIALECT_IDS, type DialectId, type StandInClient } from '../provider-stand-in/dialect.js';
import { PEOPLE, toName } from '../provider-stand-in/people.js';
import { DIALECTS } from '../provider-stand-in/dialects.js';

/** In the order of the buttons. The company provider is for tests and for `OIDC_PROVIDERS`. */
const SHOWN = ['google', 'microsoft', 'apple'] as const;
const APPLE_TEAM = 'FOYERTEAM1';
const APPLE_KEY = 'FOYERKEY01';

/** What the demo providers must know of one installation. */
export interface StandInSecrets {
  /** Undefined for a provider without a registered client. */
  toSecret(id: DialectId): string | undefined;
  /** Its private key signs client secrets for Apple. PEM. */
  applePublicKey: string;
}

export interface StandInSetUp {
  /** For the gateway. */
  providers: readonly ProviderSettings[];
  /** For the demo providers: the same clients from their side. */
  clients: Readonly<Record<DialectId, StandInClient>>;
}

/** The identity of a demo person at a provider, to which an account is connected. */
export interface StandInIdentity {
  provider: DialectId;
  issuer: string;
  subject: string;
  label: string;
}

/** @returns whether this configuration starts the demo providers: no real provider is set up, or only the company among them */
export function bringsStandIn(config: Pick<Config, 'embedded' | 'embeddedPorts' | 'providers'>): boolean {
  return config.embedded && config.providers.every(({ issuer }) => issuer === companyIssuer(config));
}

export function setUpStandIn(config: Config, keys: Keys): StandInSetUp {
  const { publicUrl, embeddedPorts, providers } = config;
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const toSecret = (id: DialectId): string => keys.mac('demo-account', `provider-${id}`);
  const findSettings = (id: (typeof SHOWN)[number]): ProviderSettings => ({
    id,
    name: DIALECTS[id].title,
    dialect: id,
    issuer: `${standInUrl({ embeddedPorts })}/${id}`,
    clientId: clientId(id),
    credential:
      id === 'apple'
        ? { kind: 'apple-key', teamId: APPLE_TEAM, keyId: APPLE_KEY, privateKey }
        : { kind: 'secret', secret: toSecret(id) },
    scopes: id === 'apple' ? ['name'] : ['openid', 'profile'],
  });
  const clients = standInClients(publicUrl, { toSecret, applePublicKey: publicKey });
  const company = providers.find(({ issuer }) => issuer === companyIssuer(config));
  return {
    providers: [...SHOWN.map(findSettings), ...(company ? [company] : [])],
    clients: { ...clients, company: company ? clientAsSet(company, publicUrl) : clients.company },
  };
}

/** The company knows the client that `OIDC_PROVIDERS` names, with its secret. */
function clientAsSet({ id, clientId: client, credential }: ProviderSettings, publicUrl: string): StandInClient {
  const proof = credential.kind === 'secret' ? { secret: credential.secret } : {};
  return { id: client, redirectUris: [`${publicUrl}/login/${id}/callback`], ...proof };
}

function companyIssuer(config: Pick<Config, 'embeddedPorts'>): string {
  return `${standInUrl(config)}/company/`;
}

/** The one client that each demo provider knows. @param publicUrl of the gateway */
export function standInClients(publicUrl: string, { toSecret, applePublicKey }: StandInSecrets): StandInSetUp['clients'] {
  const toProof = (id: DialectId): Partial<StandInClient> => {
    if (id === 'apple') return { key: { teamId: APPLE_TEAM, keyId: APPLE_KEY, publicKey: applePublicKey } };
    const secret = toSecret(id);
    return secret === undefined ? {} : { secret };
  };
  const clientOf = (id: DialectId): StandInClient => ({
    id: clientId(id),
    redirectUris: [`${publicUrl}/login/${id}/callback`],
    ...toProof(id),
  });
  return Object.fromEntries(DIALECT_IDS.map((id) => [id, clientOf(id)])) as Record<DialectId, StandInClient>;
}

/**
 * The same at every start of one installation. @param key of a person of `PEOPLE` @param address of the demo
 * providers
 */
export function toIdentity(provider: DialectId, key: string, address: string): StandInIdentity {
  const person = PEOPLE.find((one) => one.key === key);
  if (!person) throw new Error(`The stand-in knows no ${key}`);
  const { issuer, subject } = DIALECTS[provider];
  return {
    provider,
    issuer: issuer(address, person),
    subject: subject(person, clientId(provider)),
    label: toName(person),
  };
}

/** Origin of the demo providers that this configuration starts. */
export function standInUrl({ embeddedPorts: { providers } }: Pick<Config, 'embeddedPorts'>): string {
  return `http://localhost:${providers}`;
}

function clientId(id: DialectId): string {
  return `foyer-at-${id}`;
}
