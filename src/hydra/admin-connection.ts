/** The connection to the upstream's admin API: its token, the authority of its certificate, the patience with it. */
import type { AxiosInstance } from 'axios' with { 'resolution-mode': 'require' };
import axios from 'axios';
import type { Config } from '../config/config.js';
import { TELEMETRY_OFF } from '../telemetry/telemetry.js';
import { transport } from './transport.js';

export function connectionTo(settings: Config['hydra'], telemetry = TELEMETRY_OFF): AxiosInstance {
  return axios.create({
    timeout: settings.timeoutMs,
    // @ory/client has made a text of every body; axios would parse it and make it again.
    transformRequest: [],
    adapter: transport(telemetry, settings.adminCa),
    headers: settings.adminToken === undefined ? {} : { Authorization: `Bearer ${settings.adminToken}` },
    // @ory/client is typed against the CommonJS declarations of the same package.
  }) as unknown as AxiosInstance;
}
