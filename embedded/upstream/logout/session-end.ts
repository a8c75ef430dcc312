/** Ends a remembered session, and notifies its clients through the browser and directly. Tokens stay valid. */
import { randomUUID } from 'node:crypto';
import type { Core } from '../core.js';
import { withQuery } from '../http/query.js';
import type { ClientRow } from '../store/rows.js';

/** @returns the addresses that the browser must load, one for each client that has registered a front-channel address */
export function listFrontChannelUrls(core: Core, sessionId: string): string[] {
  return findClients(core, sessionId).flatMap(({ frontchannel_logout_uri: uri }) =>
    uri ? [withQuery(uri, { iss: core.settings.issuer, sid: sessionId })] : [],
  );
}

export function endSessionEverywhere(core: Core, sessionId: string): void {
  for (const { client_id: clientId, backchannel_logout_uri: url } of findClients(core, sessionId)) {
    if (url) core.backChannel.notify({ clientId, url, token: signLogoutToken(core, clientId, sessionId) });
  }
  core.store.sessions.delete(sessionId);
}

/** Finds all clients to which the person signed in within the session. As in Hydra, a session that has ended has none. */
function findClients(core: Core, sessionId: string): ClientRow[] {
  if (!core.store.sessions.has(sessionId)) return [];
  const ids = new Set(core.store.consents.listMatching('sessionId', sessionId).map(([, row]) => row.clientId));
  return [...ids].flatMap((id) => core.store.clients.get(id) ?? []);
}

/** Creates a logout token (OpenID Connect Back-Channel Logout, section 2.4). Like Hydra's, it names the session and not the person. */
function signLogoutToken(core: Core, clientId: string, sessionId: string): string {
  return core.signer.sign({
    iss: core.settings.issuer,
    aud: [clientId],
    iat: core.nowSeconds(),
    jti: randomUUID(),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    sid: sessionId,
  });
}
