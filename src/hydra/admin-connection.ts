/** The connection to Hydra's admin API: token, certificate authority, timeout. */
import type { AxiosInstance } from 'axios' with { 'resolution-mode': 'require' };
import axios from 'axios';
import type { Config } from '../config/config.js';
import { TELEMETRY_OFF } from '../telemetry/telemetry.js';
import { transport } from './transport.js';

export function connectionTo(settings: Config['hydra'], telemetry = TELEMETRY_OFF): AxiosInstance {
  return axios.create({
    timeout: settings.timeoutMs,
    // @ory/client has already serialised the body; axios would parse and serialise it again.
    transformRequest: [],
    adapter: transport(telemetry, settings.adminCa),
    headers: settings.adminToken === undefined ? {} : { Authorization: `Bearer ${settings.adminToken}` },
    // @ory/client uses the CommonJS type declarations of the same package.
  }) as unknown as AxiosInstance;
}
