/** Registers the demo app and its television at the upstream through the admin API, and replaces earlier registrations. */

export const DEMO_CLIENT_ID = 'beispielportal';
export const TELEVISION_CLIENT_ID = 'beispielportal-tv';

export interface DemoClient {
  id: string;
  secret: string;
  /** Origin of the demo app, without a trailing slash. */
  baseUrl: string;
}

const TIMEOUT_MS = 10_000;

/**
 * Replaces existing clients completely, so that their addresses follow a changed port.
 * @throws if the upstream refuses or does not answer
 */
export async function registerDemoClient(adminUrl: string, client: DemoClient): Promise<void> {
  await register(adminUrl, buildPortal(client));
  await register(adminUrl, buildTelevision(client));
}

type Metadata = { client_id: string } & Record<string, unknown>;

async function register(adminUrl: string, metadata: Metadata): Promise<void> {
  const update = await call(`${adminUrl}/admin/clients/${encodeURIComponent(metadata.client_id)}`, 'PUT', metadata);
  if (update.ok) return;
  if (update.status !== 404) throw new Error(`The client ${metadata.client_id} could not be registered (HTTP ${update.status})`);
  const creation = await call(`${adminUrl}/admin/clients`, 'POST', metadata);
  if (!creation.ok) throw new Error(`The client ${metadata.client_id} could not be registered (HTTP ${creation.status})`);
}

function buildPortal({ id, secret, baseUrl }: DemoClient): Metadata {
  return {
    ...toPageUrls(baseUrl),
    client_id: id,
    client_secret: secret,
    client_name: 'Beispielportal',
    redirect_uris: [`${baseUrl}/callback`],
    post_logout_redirect_uris: [`${baseUrl}/signed-out`],
    backchannel_logout_uri: `${baseUrl}/backchannel-logout`,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: 'openid offline_access id profile email',
    token_endpoint_auth_method: 'client_secret_basic',
  };
}

/**
 * The television is a public client, because anyone can read a secret out of a device. An upstream without device authorization accepts
 * the registration, too.
 */
function buildTelevision({ baseUrl }: DemoClient): Metadata {
  return {
    ...toPageUrls(baseUrl),
    client_id: TELEVISION_CLIENT_ID,
    client_name: 'Beispielportal TV',
    redirect_uris: [],
    grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
    response_types: [],
    scope: 'openid profile',
    token_endpoint_auth_method: 'none',
  };
}

function toPageUrls(baseUrl: string): Record<string, string> {
  return { client_uri: baseUrl, logo_uri: `${baseUrl}/logo.svg`, policy_uri: `${baseUrl}/privacy` };
}

function call(url: string, method: string, body: object): Promise<Response> {
  return fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}
