/**
 * Prepares a run of the OpenID Foundation's conformance suite: a person who signs in, three clients with the suite's addresses, and the
 * configuration of its plans (docs/conformance.md).
 */
import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import type { ClientOptions, RegisteredClient } from './clients.js';
import type { Person, PersonOptions } from './people.js';

export interface SuiteOptions {
  /** Origin of the suite, like `https://localhost.emobix.co.uk:8443`. */
  suiteUrl: string;
  /** Part of the suite's addresses; runs with the same alias must not overlap. */
  alias: string;
  /** Set for the plans of front-channel or back-channel logout. The suite refuses calls that a plan does not expect. */
  logout?: 'front-channel' | 'back-channel';
}

interface SuiteClient {
  client_id: string;
  client_secret: string;
  /** Private keys, with which some test modules sign their requests. The client is registered with the public keys. */
  jwks: { keys: JsonWebKey[] };
}

/** Configuration of a test plan, in the format of the suite. */
export interface SuiteConfig {
  alias: string;
  description: string;
  server: { discoveryUrl: string; login_hint: string };
  client: SuiteClient;
  /** A client that authenticates in the body (`client_secret_post`). */
  client_secret_post: SuiteClient;
  client2: SuiteClient;
}

export interface PreparedSuite {
  person: Person;
  config: SuiteConfig;
}

interface SuiteParts {
  registerClient(options: ClientOptions): Promise<RegisteredClient>;
  createPerson(options: PersonOptions): Promise<Person>;
}

/** The response types of all plans: code, implicit and hybrid flows. */
const RESPONSE_TYPES = ['code', 'id_token', 'token id_token', 'code id_token', 'code token', 'code token id_token'];
const SCOPE = 'openid offline_access profile email address phone';

/** @throws KitError if Hydra or Foyer refuses */
export async function prepareSuite({ registerClient, createPerson }: SuiteParts, options: SuiteOptions): Promise<PreparedSuite> {
  const register = async (name: string, method = 'client_secret_basic'): Promise<RegisteredClient & SuiteKeys> => {
    const keys = toKeys(name);
    const client = await registerClient(buildClient(`${options.alias} ${name}`, method, { ...options, jwks: keys.public }));
    return { ...client, jwks: keys.private };
  };
  const [firstClient, postClient, secondClient] = await Promise.all([
    register('client'),
    register('client_secret_post', 'client_secret_post'),
    register('client2'),
  ]);
  const username = `${options.alias}.person`;
  const person = await createPerson({
    username,
    displayName: 'Connie Formance',
    email: `${username}@example.org`,
    language: 'en',
  });
  const discoveryUrl = `${firstClient.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  return {
    person,
    config: {
      alias: options.alias,
      description: 'Foyer in front of Hydra',
      server: { discoveryUrl, login_hint: person.username },
      client: toCredentials(firstClient),
      client_secret_post: toCredentials(postClient),
      client2: toCredentials(secondClient),
    },
  };
}

type SuiteKeys = Pick<SuiteClient, 'jwks'>;

function toKeys(name: string): Record<'private' | 'public', SuiteKeys['jwks']> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const parameters = { kid: name, use: 'sig', alg: 'RS256' };
  const toKeySet = (key: JsonWebKey): SuiteKeys['jwks'] => ({ keys: [{ ...key, ...parameters }] });
  return { private: toKeySet(privateKey.export({ format: 'jwk' })), public: toKeySet(publicKey.export({ format: 'jwk' })) };
}

function buildClient(name: string, method: string, { suiteUrl, alias, logout, jwks }: SuiteOptions & SuiteKeys): ClientOptions {
  const toUrl = (path: string): string => new URL(`/test/a/${encodeURIComponent(alias)}/${path}`, suiteUrl).href;
  return {
    name,
    scope: SCOPE,
    redirectUris: [toUrl('callback')],
    postLogoutRedirectUris: [toUrl('post_logout_redirect')],
    fields: {
      grant_types: ['authorization_code', 'refresh_token', 'implicit'],
      response_types: RESPONSE_TYPES,
      token_endpoint_auth_method: method,
      jwks,
      policy_uri: toUrl('policy'),
      tos_uri: toUrl('terms'),
      ...(logout === 'front-channel' ? { frontchannel_logout_uri: toUrl('frontchannel_logout') } : {}),
      ...(logout === 'back-channel' ? { backchannel_logout_uri: toUrl('backchannel_logout') } : {}),
    },
  };
}

function toCredentials({ clientId, clientSecret, jwks }: RegisteredClient & SuiteKeys): SuiteClient {
  return { client_id: clientId, client_secret: clientSecret, jwks };
}
