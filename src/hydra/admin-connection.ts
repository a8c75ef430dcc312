/** The connection to Hydra's admin API: token, certificate authority, timeout. */
import type { AxiosInstance } from 'axios' with { 'resolution-mode': 'require' };
import axios, { type AxiosAdapter } from 'axios';
import type { Config } from '../config/config.js';
import { TELEMETRY_OFF } from '../telemetry/telemetry.js';
import { createTransport, type Transport } from './transport.js';

/** A path without secrets that only the admin API answers; the public API answers `/health/ready` too. */
export const CLIENT_LIST = '/admin/clients?page_size=1';

export function isClientList(status: number, body: unknown): boolean {
  return status === 200 && Array.isArray(body);
}

/** Creates a transport for the requests of `@ory/client`. */
export function createAdminTransport(settings: Config['hydra'], telemetry = TELEMETRY_OFF): Transport {
  const send = createTransport(telemetry, settings.adminCa);
  const [commonHeaders, timeout] = [{ Accept: 'application/json', ...buildHeaders(settings) }, settings.timeoutMs];
  return (request) => send({ timeout, ...request, headers: { ...commonHeaders, ...request.headers } });
}

/** Creates an axios client for inspections of Hydra. */
export function createAdminClient(settings: Config['hydra']): AxiosInstance {
  return axios.create({
    timeout: settings.timeoutMs,
    transformRequest: [],
    adapter: createTransport(TELEMETRY_OFF, settings.adminCa) as AxiosAdapter,
    headers: buildHeaders(settings),
    // The cast is needed because @ory/client uses the CommonJS type declarations of axios.
  }) as unknown as AxiosInstance;
}

function buildHeaders({ adminToken }: Config['hydra']): Record<string, string> {
  return adminToken === undefined ? {} : { Authorization: `Bearer ${adminToken}` };
}
