/**
 * Configures the demo providers as Google, Microsoft and Apple unless a real provider is configured, so that their buttons work on
 * a first try. The product handles them like the real ones; only addresses and credentials differ.
 */
import { generateKeyPairSync } from 'node:crypto';
import type { Config, ProviderSettings } from '../../src/config/config.js';
import type { Keys } from '../../src/config/keys.js';
import { DIALECT_IDS, type DialectId, type DemoProviderClient } from '../demo-providers/dialect.js';
import { PEOPLE, toName } from '../demo-providers/people.js';
import { DIALECTS } from '../demo-providers/dialects.js';

/** The providers in the order of their buttons. The company provider is only for tests and for `OIDC_PROVIDERS`. */
const BUTTONS = ['google', 'microsoft', 'apple'] as const;
const APPLE_TEAM = 'FOYERTEAM1';
const APPLE_KEY = 'FOYERKEY01';

/** The credentials with which the gateway of one installation authenticates at the demo providers. */
export interface DemoProviderSecrets {
  /** @returns undefined for a provider at which the client has no secret */
  toSecret(id: DialectId): string | undefined;
  /** PEM. The corresponding private key signs the client secrets for Apple. */
  applePublicKey: string;
}

export interface DemoProvidersSetUp {
  /** The providers as settings of the gateway. */
  providers: readonly ProviderSettings[];
  /** The gateway's clients as the demo providers register them. */
  clients: Readonly<Record<DialectId, DemoProviderClient>>;
}

/** The identity of a demo person at a provider, to which an account is connected. */
export interface DemoIdentity {
  provider: DialectId;
  issuer: string;
  subject: string;
  label: string;
}

/** @returns whether this configuration starts the demo providers: no provider is configured, or only the demo company */
export function startsDemoProviders(config: Pick<Config, 'embedded' | 'embeddedPorts' | 'providers'>): boolean {
  return config.embedded && config.providers.every(({ issuer }) => issuer === buildCompanyIssuer(config));
}

export function setUpDemoProviders(config: Config, keys: Keys): DemoProvidersSetUp {
  const { publicUrl, embeddedPorts, providers } = config;
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const toSecret = (id: DialectId): string => keys.mac('demo-account', `provider-${id}`);
  const toSettings = (id: (typeof BUTTONS)[number]): ProviderSettings => ({
    id,
    name: DIALECTS[id].title,
    dialect: id,
    issuer: `${toDemoProvidersUrl({ embeddedPorts })}/${id}`,
    clientId: toClientId(id),
    credential:
      id === 'apple'
        ? { kind: 'apple-key', teamId: APPLE_TEAM, keyId: APPLE_KEY, privateKey }
        : { kind: 'secret', secret: toSecret(id) },
    scopes: id === 'apple' ? ['name'] : ['openid', 'profile'],
  });
  const clients = buildProviderClients(publicUrl, { toSecret, applePublicKey: publicKey });
  const company = providers.find(({ issuer }) => issuer === buildCompanyIssuer(config));
  return {
    providers: [...BUTTONS.map(toSettings), ...(company ? [company] : [])],
    clients: { ...clients, company: company ? toConfiguredClient(company, publicUrl) : clients.company },
  };
}

/** The client of the demo company, with the id and the secret that `OIDC_PROVIDERS` names. */
function toConfiguredClient({ id, clientId, credential }: ProviderSettings, publicUrl: string): DemoProviderClient {
  const proof = credential.kind === 'secret' ? { secret: credential.secret } : {};
  return { id: clientId, redirectUris: [`${publicUrl}/login/${id}/callback`], ...proof };
}

function buildCompanyIssuer(config: Pick<Config, 'embeddedPorts'>): string {
  return `${toDemoProvidersUrl(config)}/company/`;
}

/** Builds the client of each demo provider. @param publicUrl of the gateway */
export function buildProviderClients(
  publicUrl: string,
  { toSecret, applePublicKey }: DemoProviderSecrets,
): DemoProvidersSetUp['clients'] {
  const toProof = (id: DialectId): Partial<DemoProviderClient> => {
    if (id === 'apple') return { key: { teamId: APPLE_TEAM, keyId: APPLE_KEY, publicKey: applePublicKey } };
    const secret = toSecret(id);
    return secret === undefined ? {} : { secret };
  };
  const buildClient = (id: DialectId): DemoProviderClient => ({
    id: toClientId(id),
    redirectUris: [`${publicUrl}/login/${id}/callback`],
    ...toProof(id),
  });
  return Object.fromEntries(DIALECT_IDS.map((id) => [id, buildClient(id)])) as Record<DialectId, DemoProviderClient>;
}

/**
 * Finds the identity of a demo person at a provider. The identity is the same at every start with the same address.
 * @param key of a person in `PEOPLE`
 * @param address origin of the demo providers
 * @throws if there is no such person
 */
export function toIdentity(provider: DialectId, key: string, address: string): DemoIdentity {
  const person = PEOPLE.find((candidate) => candidate.key === key);
  if (!person) throw new Error(`The demo providers have no person "${key}".`);
  const { issuer, subject } = DIALECTS[provider];
  return {
    provider,
    issuer: issuer(address, person),
    subject: subject(person, toClientId(provider)),
    label: toName(person),
  };
}

/** Origin of the demo providers that this configuration starts. */
export function toDemoProvidersUrl({ embeddedPorts: { providers } }: Pick<Config, 'embeddedPorts'>): string {
  return `http://localhost:${providers}`;
}

function toClientId(id: DialectId): string {
  return `foyer-at-${id}`;
}
