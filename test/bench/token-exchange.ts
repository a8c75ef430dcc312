/** Redeems the code of a sign-in, as an app does (RFC 6749, section 4.1.3). */
import type { BrowserClient } from './browser-client.js';
import type { Route } from './login-walk.js';

/** @returns the access token */
export async function redeemCode(http: BrowserClient, route: Route, code: string): Promise<string> {
  const { tokenUrl, clientId, clientSecret, callback } = route;
  const { status, body } = await http.postAsApp(new URL(tokenUrl), [
    ['grant_type', 'authorization_code'],
    ['client_id', clientId],
    ...(clientSecret === undefined ? [] : [['client_secret', clientSecret] as const]),
    ['redirect_uri', callback],
    ['code', code],
  ]);
  const text = body.toString('utf8');
  const token = status === 200 ? (JSON.parse(text) as { access_token?: string }).access_token : undefined;
  if (token === undefined) throw new Error(`The token endpoint answers ${status} without a token: ${text.slice(0, 300)}`);
  return token;
}
