/**
 * A client as it is registered at Hydra, for operators who manage it. Members have Hydra's names (RFC 7591). Neither the secret,
 * which Hydra stores as a hash, nor the registration access token is ever read.
 */
import { createHash } from 'node:crypto';
import { readFlag, readOptionalText, readText, readTexts, toObjectOrEmpty, type Wire } from './wire.js';

const TEXTS = [
  'client_name',
  'owner',
  'scope',
  'client_uri',
  'logo_uri',
  'policy_uri',
  'tos_uri',
  'backchannel_logout_uri',
  'token_endpoint_auth_method',
] as const;

const LISTS = [
  'redirect_uris',
  'post_logout_redirect_uris',
  'allowed_cors_origins',
  'audience',
  'contacts',
  'grant_types',
  'response_types',
] as const;

const FLAGS = ['skip_consent', 'skip_logout_consent', 'backchannel_logout_session_required'] as const;

/** The members of a client that can be registered. Absent texts are empty. */
export type ClientMembers = Record<(typeof TEXTS)[number], string> &
  Record<(typeof LISTS)[number], readonly string[]> &
  Record<(typeof FLAGS)[number], boolean> & {
    /** All metadata; Foyer reads the member `foyer`. */
    metadata: Wire;
  };

export interface RegisteredClient extends ClientMembers {
  client_id: string;
  /** As Hydra reports it; empty if Hydra does not. */
  created_at: string;
  updated_at: string;
  /** Changes with every change of the client, so that an operator does not overwrite the changes of another one. */
  version: string;
}

export type NewClient = Partial<ClientMembers> & { client_id: string; client_secret?: string };

export interface ClientQuery {
  /** Exactly this name. */
  name?: string;
  /** Exactly this owner. */
  owner?: string;
  /** `nextCursor` of the previous page. */
  cursor?: string;
  limit: number;
}

export interface ClientPage {
  clients: RegisteredClient[];
  /** Hydra's page token; absent on the last page. */
  nextCursor?: string;
}

/** @param wire as Hydra returns it @throws UpstreamUnavailable */
export function readRegisteredClient(wire: Wire): RegisteredClient {
  const members = {
    ...mapNames(TEXTS, (name) => readOptionalText(wire, name) ?? ''),
    ...mapNames(LISTS, (name) => readTexts(wire, name)),
    ...mapNames(FLAGS, (name) => readFlag(wire, name)),
    metadata: toObjectOrEmpty(wire['metadata']),
  };
  const client = {
    client_id: readText(wire, 'client_id'),
    ...members,
    created_at: readOptionalText(wire, 'created_at') ?? '',
    updated_at: readOptionalText(wire, 'updated_at') ?? '',
  };
  return { ...client, version: createHash('sha256').update(JSON.stringify(client)).digest('base64url').slice(0, 22) };
}

/** Whether the client already has all these values. */
export function hasMembers(client: RegisteredClient, members: Partial<ClientMembers>): boolean {
  return Object.entries(members).every(
    ([name, value]) => JSON.stringify(client[name as keyof ClientMembers]) === JSON.stringify(value),
  );
}

function mapNames<Name extends string, Value>(names: readonly Name[], read: (name: Name) => Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, Value>;
}
