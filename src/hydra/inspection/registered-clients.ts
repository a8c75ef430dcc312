/** Reads the clients at Hydra for the doctor. */
import { Configuration, OAuth2Api, type OAuth2Client } from '@ory/client';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { createAdminClient } from '../admin-connection.js';
import { readClientSettings, type ClientFault } from '../client-settings.js';
import { findNextPageToken } from '../stored-consents.js';
import { ChallengeUnknown, UpstreamUnavailable } from '../hydra.errors.js';
import { toUpstreamError } from '../upstream-failure.js';
import { toObject } from '../wire.js';
import { DEVICE_GRANT } from './temporary-client.js';

const PAGE_SIZE = 250;
const MAX_PAGES = 40;

export interface RegisteredClient {
  id: string;
  /** Registered for device authorization (RFC 8628). */
  isForDevices: boolean;
  /** Faults of `metadata.foyer`. */
  faults: readonly ClientFault[];
  deviceAcrValues: readonly string[];
}

/** The addresses of a client to which Hydra redirects browsers after a sign-in, and sends logout tokens. */
export interface ClientAddresses {
  redirectUris: readonly string[];
  backChannelLogoutUri: string | null;
}

/** @returns the first 10,000 clients @throws UpstreamError */
export async function listRegisteredClients(settings: Config['hydra']): Promise<RegisteredClient[]> {
  const oauth2 = new OAuth2Api(new Configuration({ basePath: settings.adminUrl }), undefined, createAdminClient(settings));
  const clients: RegisteredClient[] = [];
  let pageToken: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { data, headers } = await oauth2
      .listOAuth2Clients({ pageSize: PAGE_SIZE, ...defined({ pageToken }) })
      .catch((error: unknown) => {
        throw toUpstreamError(error);
      });
    if (!Array.isArray(data)) throw new UpstreamUnavailable('Hydra answered with something that is not a list');
    clients.push(...data.map(readRegisteredClient));
    const nextToken = findNextPageToken(headers['link']);
    if (data.length === 0 || nextToken === null || nextToken === pageToken) break;
    pageToken = nextToken;
  }
  return clients;
}

/** @returns null for an unknown client @throws UpstreamError */
export async function findClientAddresses(settings: Config['hydra'], id: string): Promise<ClientAddresses | null> {
  const oauth2 = new OAuth2Api(new Configuration({ basePath: settings.adminUrl }), undefined, createAdminClient(settings));
  try {
    const { data } = await oauth2.getOAuth2Client({ id });
    return { redirectUris: data.redirect_uris ?? [], backChannelLogoutUri: data.backchannel_logout_uri ?? null };
  } catch (thrown) {
    const error = toUpstreamError(thrown);
    if (error instanceof ChallengeUnknown) return null;
    throw error;
  }
}

function readRegisteredClient(client: OAuth2Client): RegisteredClient {
  const { settings, faults } = readClientSettings(toObject(client, 'a client'));
  return {
    id: client.client_id ?? '',
    // An absent list may arrive as null.
    isForDevices: (client.grant_types ?? []).includes(DEVICE_GRANT),
    faults,
    deviceAcrValues: settings.deviceAcrValues ?? [],
  };
}
