/** `/admin/oauth2/auth/requests/logout`: show, accept, reject. Unlike login and consent requests, these requests are stored. */
import type { Core } from '../core.js';
import type { Exchange } from '../http/exchange.js';
import type { Route } from '../http/router.js';
import { toNoSuchResource, toNotFound } from '../oauth-error.js';
import type { LogoutRow } from '../store/rows.js';
import { showClient } from './client-fields.js';

export function buildLogoutRequestRoutes(core: Core): Route[] {
  const path = '/oauth2/auth/requests/logout';
  return [
    { method: 'GET', path, handle: (exchange) => show(core, exchange) },
    { method: 'PUT', path: `${path}/accept`, handle: (exchange) => accept(core, exchange) },
    { method: 'PUT', path: `${path}/reject`, handle: (exchange) => reject(core, exchange) },
  ];
}

function find(core: Core, { query }: Exchange): LogoutRow | undefined {
  return core.store.logouts.get(query.first('logout_challenge') || query.first('challenge'));
}

function show(core: Core, exchange: Exchange): void {
  const row = find(core, exchange);
  if (!row || row.state === 'rejected') throw toNoSuchResource();
  if (row.used) return exchange.json({ redirect_to: row.requestUrl }, 410);
  const client = row.clientId === null ? undefined : core.store.clients.get(row.clientId);
  exchange.json({
    challenge: row.challenge,
    subject: row.subject,
    sid: row.sessionId,
    request_url: row.requestUrl,
    rp_initiated: row.rpInitiated,
    expires_at: row.expiresAt === null ? null : toTime(row.expiresAt),
    requested_at: row.expiresAt === null ? null : toTime(row.requestedAt),
    client: client ? showClient(client) : null,
  });
}

/** Accepts the request, even after a rejection. The session ends when the browser returns with the verifier. */
function accept(core: Core, exchange: Exchange): void {
  const row = find(core, exchange);
  if (!row) throw toNoSuchResource();
  core.store.logouts.put(row.challenge, { ...row, state: 'accepted' });
  exchange.json({ redirect_to: `${core.settings.issuer}/oauth2/sessions/logout?logout_verifier=${row.verifier}` });
}

function reject(core: Core, exchange: Exchange): void {
  const row = find(core, exchange);
  if (!row) throw toNotFound();
  core.store.logouts.put(row.challenge, { ...row, state: 'rejected' });
  exchange.sendEmpty(204);
}

function toTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
