/** The connection to Hydra's admin API: token, certificate authority, timeout. */
import type { AxiosInstance } from 'axios' with { 'resolution-mode': 'require' };
import axios, { type AxiosAdapter } from 'axios';
import type { Config } from '../config/config.js';
import { TELEMETRY_OFF } from '../telemetry/telemetry.js';
import { transport, type Transport } from './transport.js';

/** Only the admin API answers it; `/health/ready` is answered at the public address too. Contains nothing usable by others. */
export const CLIENT_LIST = '/admin/clients?page_size=1';

export function isClientList(status: number, body: unknown): boolean {
  return status === 200 && Array.isArray(body);
}

/** Sends requests of `@ory/client`. */
export function adminTransport(settings: Config['hydra'], telemetry = TELEMETRY_OFF): Transport {
  const send = transport(telemetry, settings.adminCa);
  const [common, timeout] = [{ Accept: 'application/json', ...adminHeaders(settings) }, settings.timeoutMs];
  return (request) => send({ timeout, ...request, headers: { ...common, ...request.headers } });
}

/** For inspections. */
export function connectionTo(settings: Config['hydra']): AxiosInstance {
  return axios.create({
    timeout: settings.timeoutMs,
    transformRequest: [],
    adapter: transport(TELEMETRY_OFF, settings.adminCa) as AxiosAdapter,
    headers: adminHeaders(settings),
    // @ory/client uses the CommonJS type declarations of the same package.
  }) as unknown as AxiosInstance;
}

function adminHeaders({ adminToken }: Config['hydra']): Record<string, string> {
  return adminToken === undefined ? {} : { Authorization: `Bearer ${adminToken}` };
}
