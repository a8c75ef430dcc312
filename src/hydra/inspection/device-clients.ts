/** The clients at Hydra that are registered for device authorization (RFC 8628). */
import { Configuration, OAuth2Api } from '@ory/client';
import type { Config } from '../../config/config.js';
import { connectionTo } from '../admin-connection.js';
import { nextPageToken } from '../stored-consents.js';
import { toUpstreamError } from '../upstream-failure.js';
import { DEVICE_GRANT } from './temporary-client.js';

const PAGE_SIZE = 250;
const MOST_PAGES = 40;

/** @returns ids among the first 10,000 clients @throws UpstreamError */
export async function deviceClients(settings: Config['hydra']): Promise<string[]> {
  const oauth2 = new OAuth2Api(new Configuration({ basePath: settings.adminUrl }), undefined, connectionTo(settings));
  const ids: string[] = [];
  let pageToken: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { data, headers } = await oauth2
      .listOAuth2Clients({ pageSize: PAGE_SIZE, ...(pageToken === undefined ? {} : { pageToken }) })
      .catch((error: unknown) => {
        throw toUpstreamError(error);
      });
    // An absent list of grants may arrive as null.
    ids.push(
      ...data.filter(({ grant_types: grants }) => (grants ?? []).includes(DEVICE_GRANT)).map(({ client_id: id }) => id ?? ''),
    );
    const next = nextPageToken(headers['link']);
    if (data.length === 0 || next === null || next === pageToken) break;
    pageToken = next;
  }
  return ids;
}
