/** Registers the demo app at the upstream through the admin API. It can be repeated without effect. */

export const DEMO_CLIENT_ID = 'beispielportal';

export interface DemoClient {
  id: string;
  secret: string;
  /** Origin of the demo app, without a trailing slash. */
  baseUrl: string;
}

const TIMEOUT_MS = 10_000;

/**
 * Writes the whole client, so that its addresses follow a changed port. @throws if the upstream refuses or does not
 * answer
 */
export async function registerDemoClient(adminUrl: string, client: DemoClient): Promise<void> {
  const metadata = metadataOf(client);
  const updated = await call(`${adminUrl}/admin/clients/${encodeURIComponent(client.id)}`, 'PUT', metadata);
  if (updated.ok) return;
  if (updated.status !== 404) throw new Error(`The demo app could not be registered (HTTP ${updated.status})`);
  const created = await call(`${adminUrl}/admin/clients`, 'POST', metadata);
  if (!created.ok) throw new Error(`The demo app could not be registered (HTTP ${created.status})`);
}

function metadataOf({ id, secret, baseUrl }: DemoClient): object {
  return {
    client_id: id,
    client_secret: secret,
    client_name: 'Beispielportal',
    client_uri: baseUrl,
    logo_uri: `${baseUrl}/logo.svg`,
    policy_uri: `${baseUrl}/privacy`,
    redirect_uris: [`${baseUrl}/callback`],
    post_logout_redirect_uris: [`${baseUrl}/signed-out`],
    backchannel_logout_uri: `${baseUrl}/backchannel-logout`,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: 'openid offline_access id profile email',
    token_endpoint_auth_method: 'client_secret_basic',
  };
}

function call(url: string, method: string, body: object): Promise<Response> {
  return fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}
