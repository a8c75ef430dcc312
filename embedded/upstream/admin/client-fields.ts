/** The fields of a client on the admin API: their input types, and their order and defaults in answers. */
import { toSeconds, type DecodedFields } from '../http/json-body.js';
import type { ClientSnapshot } from '../flow/flow.js';
import { toDurationText } from '../tokens/lifespans.js';

const LIFESPANS = [
  'authorization_code_grant_access_token_lifespan',
  'authorization_code_grant_id_token_lifespan',
  'authorization_code_grant_refresh_token_lifespan',
  'client_credentials_grant_access_token_lifespan',
  'implicit_grant_access_token_lifespan',
  'implicit_grant_id_token_lifespan',
  'jwt_bearer_grant_access_token_lifespan',
  'refresh_token_grant_id_token_lifespan',
  'refresh_token_grant_access_token_lifespan',
  'refresh_token_grant_refresh_token_lifespan',
  'device_authorization_grant_id_token_lifespan',
  'device_authorization_grant_access_token_lifespan',
  'device_authorization_grant_refresh_token_lifespan',
] as const;
type Lifespan = (typeof LIFESPANS)[number];

const lifespanFields = Object.fromEntries(LIFESPANS.map((name) => [name, 'duration'])) as Record<Lifespan, 'duration'>;

export const LIFESPAN_SHAPE = { type: 'client.Lifespans', fields: lifespanFields } as const;

export const CLIENT_SHAPE = {
  type: 'client.Client',
  fields: {
    client_id: 'string',
    client_name: 'string',
    client_secret: 'string',
    redirect_uris: 'strings',
    grant_types: 'strings',
    response_types: 'strings',
    scope: 'string',
    audience: 'strings',
    owner: 'string',
    policy_uri: 'string',
    allowed_cors_origins: 'strings',
    tos_uri: 'string',
    client_uri: 'string',
    logo_uri: 'string',
    contacts: 'strings',
    subject_type: 'string',
    sector_identifier_uri: 'string',
    jwks_uri: 'string',
    jwks: 'object',
    token_endpoint_auth_method: 'string',
    token_endpoint_auth_signing_alg: 'string',
    request_uris: 'strings',
    request_object_signing_alg: 'string',
    userinfo_signed_response_alg: 'string',
    frontchannel_logout_uri: 'string',
    frontchannel_logout_session_required: 'bool',
    post_logout_redirect_uris: 'strings',
    backchannel_logout_uri: 'string',
    backchannel_logout_session_required: 'bool',
    metadata: 'any',
    access_token_strategy: 'string',
    skip_consent: 'bool',
    skip_logout_consent: 'bool',
    ...lifespanFields,
  },
} as const;

export type ClientInput = DecodedFields<(typeof CLIENT_SHAPE)['fields']>;

/** Lists that the answers to a creation, a replacement and a patch repeat as they were sent: null if the request did not contain them. */
const ECHOED_LISTS = ['redirect_uris', 'grant_types', 'response_types', 'contacts'] as const;

export function toLifespans(input: Partial<Record<Lifespan, string>>): Record<string, string> {
  const entries = LIFESPANS.flatMap((name) => {
    const seconds = toSeconds(input[name] ?? '');
    return seconds === null ? [] : [[name, toDurationText(seconds)]];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

/**
 * A client as answers show it, except the answers to its creation, replacement and patch. Empty optional fields are omitted, as in Hydra.
 */
export function showClient(client: ClientSnapshot): Record<string, unknown> {
  const { lifespans, ...row } = client;
  return {
    client_id: row.client_id,
    client_name: row.client_name,
    ...toBasicFields(row),
    client_secret_expires_at: 0,
    subject_type: row.subject_type,
    ...omitEmpty({ sector_identifier_uri: row.sector_identifier_uri, jwks_uri: row.jwks_uri }),
    jwks: row.jwks,
    token_endpoint_auth_method: row.token_endpoint_auth_method,
    ...omitEmpty({ token_endpoint_auth_signing_alg: row.token_endpoint_auth_signing_alg, request_uris: row.request_uris }),
    ...omitEmpty({ request_object_signing_alg: row.request_object_signing_alg }),
    userinfo_signed_response_alg: row.userinfo_signed_response_alg,
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...omitEmpty(toLogoutFields(row)),
    metadata: row.metadata,
    ...omitEmpty({ access_token_strategy: row.access_token_strategy }),
    skip_consent: row.skip_consent,
    skip_logout_consent: row.skip_logout_consent,
    ...Object.fromEntries(LIFESPANS.map((name) => [name, lifespans[name] ?? null])),
  };
}

/** A client as the answers to its creation, replacement and patch show it. */
export function echoClient(client: ClientSnapshot, input: ClientInput): Record<string, unknown> {
  const nulls = ECHOED_LISTS.filter((name) => input[name] === undefined).map((name) => [name, null]);
  return { ...showClient(client), ...(Object.fromEntries(nulls) as Record<string, null>) };
}

function toBasicFields(row: Omit<ClientSnapshot, 'lifespans'>): Record<string, unknown> {
  const { redirect_uris, grant_types, response_types, scope, audience, owner, policy_uri } = row;
  const { allowed_cors_origins, tos_uri, client_uri, logo_uri, contacts } = row;
  return {
    ...{ redirect_uris, grant_types, response_types, scope, audience, owner, policy_uri },
    ...{ allowed_cors_origins, tos_uri, client_uri, logo_uri, contacts },
  };
}

function toLogoutFields(row: Omit<ClientSnapshot, 'lifespans'>): Record<string, unknown> {
  const { frontchannel_logout_uri, frontchannel_logout_session_required, post_logout_redirect_uris } = row;
  const { backchannel_logout_uri, backchannel_logout_session_required } = row;
  return {
    ...{ frontchannel_logout_uri, frontchannel_logout_session_required, post_logout_redirect_uris },
    ...{ backchannel_logout_uri, backchannel_logout_session_required },
  };
}

function omitEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  const isSet = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isSet(value)));
}
