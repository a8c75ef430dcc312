/**
 * `/oauth2/device/verify` (RFC 8628, section 3.3): leads the person from a device's code through login and consent.
 * Errors cannot be sent to a client, so they are answered as JSON. If login or consent is rejected, the device keeps
 * polling until its code expires, as with Hydra.
 */
import { requireCsrf, setCsrf } from '../authorize/browser-cookies.js';
import { beginConsent, finishConsent } from '../authorize/consent-step.js';
import { beginLogin, finishLogin, createHexId } from '../authorize/login-step.js';
import type { Core } from '../core.js';
import type { DeviceRequest } from '../flow/flow.js';
import type { Exchange } from '../http/exchange.js';
import { joinUrl, Query, withQuery } from '../http/query.js';
import { OAuthError } from '../oauth-error.js';
import type { ClientRow } from '../store/rows.js';
import { isWaiting } from './device-code.js';

export const VERIFY_PATH = '/oauth2/device/verify';

/** Hydra ignores `prompt`, `max_age` and hints in this address. */
const NO_PARAMETERS = new Query([]);

export function verifyDevice(core: Core, exchange: Exchange): void {
  const { query: form } = exchange;
  const toVerifier = (name: string): string => form.first(name).trim();
  const [deviceVerifier, loginVerifier, consentVerifier] = ['device_verifier', 'login_verifier', 'consent_verifier'].map(
    toVerifier,
  );
  if (loginVerifier) {
    const client = requireClient(core, form);
    const flow = finishLogin(core, exchange, { form: NO_PARAMETERS, verifier: loginVerifier });
    const request = { form: NO_PARAMETERS, client, scope: flow.requestedScope, redirectUri: null };
    return beginConsent(core, exchange, { request, flow });
  }
  if (consentVerifier) return finish(core, exchange, consentVerifier);
  if (deviceVerifier) return beginDeviceLogin(core, exchange, deviceVerifier);
  return askForCode(core, exchange);
}

/** Redirects to the page that asks for the code. A code in the address is passed on to the page and not stored. */
function askForCode(core: Core, exchange: Exchange): void {
  const { query } = exchange;
  const request: DeviceRequest = {
    requestUrl: joinUrl(`${core.settings.issuer}${VERIFY_PATH}`, hideCode(query)),
    requestedAt: core.nowSeconds(),
    csrf: createHexId(),
    code: null,
  };
  setCsrf(core, exchange, { step: 'device', clientId: '', value: request.csrf });
  const values = { device_challenge: core.flows.encode('device_challenge', request) };
  const code = query.has('user_code') ? { user_code: query.first('user_code') } : {};
  exchange.redirect(withQuery(core.settings.urls.deviceVerification, { ...values, ...code }));
}

function hideCode(query: Query): Query {
  const pairs = query.names().map((name): [string, string] => [name, /^user_code$/i.test(name) ? '****' : query.first(name)]);
  return new Query(pairs);
}

function beginDeviceLogin(core: Core, exchange: Exchange, verifier: string): void {
  const { csrf, code, requestUrl } = core.flows.decodeVerifier('device_verifier', verifier);
  requireCsrf(core, exchange, { step: 'device', clientId: '', value: csrf });
  const client = requireClient(core, exchange.query);
  if (code?.clientId !== client.client_id) throw OAuthError.create('invalid_client', 'Client does not exist');
  const { id: codeId, scope, audience } = code;
  beginLogin(core, exchange, { form: NO_PARAMETERS, client, scope, audience, origin: { codeId, requestUrl } });
}

function requireClient(core: Core, query: Query): ClientRow {
  const id = query.first('client_id');
  if (id === '') throw OAuthError.create('invalid_client', "Query parameter 'client_id' is missing.");
  const client = core.store.clients.get(id);
  if (!client) throw OAuthError.create('invalid_client', 'Client does not exist');
  return client;
}

/** Grants access: the device receives its tokens at the next poll. */
function finish(core: Core, exchange: Exchange, verifier: string): void {
  requireClient(core, exchange.query);
  const { flow, consent } = finishConsent(core, exchange, { form: exchange.query, verifier });
  const id = flow.deviceCodeId ?? '';
  const row = core.store.tokens.get(id);
  // Two people may have typed the same code. Only the first consent counts.
  if (!row || !isWaiting(core, row))
    throw OAuthError.create('access_denied', 'The device code has expired or was already answered.');
  core.store.tokens.put(id, { ...row, grantId: consent.consentId, subject: consent.subject });
  exchange.redirect(withQuery(core.settings.urls.deviceSuccess, { client_id: flow.client.client_id }));
}
