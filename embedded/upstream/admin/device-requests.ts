/** `/admin/oauth2/auth/requests/device/accept`: accepts the user code of a device. Hydra has no call to show or reject it. */
import type { Core } from '../core.js';
import { findWaitingDevice } from '../device/device-code.js';
import type { Exchange } from '../http/exchange.js';
import { decodeBody, UnreadableBody } from '../http/json-body.js';
import { withQuery } from '../http/query.js';
import type { Route } from '../http/router.js';
import { toNotFound, OAuthError } from '../oauth-error.js';

const SHAPE = { type: 'flow.AcceptDeviceUserCodeRequest', fields: { user_code: 'string' } } as const;

export function buildDeviceRequestRoutes(core: Core): Route[] {
  return [{ method: 'PUT', path: '/oauth2/auth/requests/device/accept', handle: (exchange) => accept(core, exchange) }];
}

async function accept(core: Core, exchange: Exchange): Promise<void> {
  const challenge = exchange.query.first('device_challenge');
  if (challenge === '') {
    throw OAuthError.create('invalid_request', "Query parameter 'device_challenge' is not defined but should have been.");
  }
  const userCode = await readUserCode(exchange);
  if (userCode === '') throw OAuthError.create('invalid_request', "Field 'user_code' must not be empty.");
  const request = core.flows.decode('device_challenge', challenge);
  if (!request) throw toNotFound();
  const device = findWaitingDevice(core, userCode);
  if (!device) {
    throw OAuthError.create(
      'invalid_request',
      "The 'user_code' session could not be found or has expired or is otherwise malformed.",
    );
  }
  const { clientId, scope, audience } = device.row;
  const requestUrl = withQuery(request.requestUrl, { client_id: clientId });
  const code = { id: device.id, clientId, scope, audience };
  const verifier = core.flows.encode('device_verifier', { ...request, requestUrl, code });
  exchange.json({ redirect_to: withQuery(requestUrl, { device_verifier: verifier }) });
}

async function readUserCode(exchange: Exchange): Promise<string> {
  try {
    return decodeBody(await exchange.body(), SHAPE).user_code ?? '';
  } catch (error) {
    if (error instanceof UnreadableBody) {
      throw OAuthError.create('invalid_request', `Unable to decode request body: ${error.message}`);
    }
    throw error;
  }
}
