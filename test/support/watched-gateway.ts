/** A gateway that sends its telemetry to a receiver in this process, with the real HTTP adapter for its upstream. */
import type { Config } from '../../src/config/config.js';
import { OryHydraAdapter } from '../../src/hydra/ory-hydra.adapter.js';
import { startTelemetry } from '../../src/telemetry/start-telemetry.js';
import type { Telemetry } from '../../src/telemetry/telemetry.js';
import { startFakeAdminApi, type FakeAdminApi } from './fake-admin-api.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './gateway.js';
import { startOtlpCollector, type OtlpCollector } from './otlp-collector.js';

export interface WatchedGateway {
  gateway: TestGateway;
  admin: FakeAdminApi;
  collector: OtlpCollector;
  telemetry: Telemetry;
  /** Sends all data to the receiver; nothing is measured afterwards. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** The receiver and the upstream are running, but may be slow. */
const TIMEOUT_MS = 180_000;

export function telemetrySettings(endpoint: string, more: Partial<Config['telemetry']> = {}): Config['telemetry'] {
  const sampler = { name: 'parentbased_always_on', ratio: 1 };
  const otlp = { endpoint, headers: {}, timeoutMs: 30_000, traces: true, metrics: true, metricIntervalMs: 600_000, sampler };
  return { serviceName: 'foyer', resource: {}, otlp, prometheus: {}, ...more };
}

export async function startWatchedGateway(options: Pick<TestGatewayOptions, 'config'> = {}): Promise<WatchedGateway> {
  const collector = await startOtlpCollector();
  const telemetry = await startTelemetry(telemetrySettings(collector.endpoint), () => undefined, TIMEOUT_MS);
  const admin = await startFakeAdminApi(() => gateway.hydra);
  const hydra = new OryHydraAdapter(admin.settings, telemetry);
  hydra.probeTimeoutMs = TIMEOUT_MS;
  const gateway = await startTestGateway({ ...options, hydra, telemetry });
  return {
    gateway,
    admin,
    collector,
    telemetry,
    finish: () => telemetry.stop(),
    close: async () => {
      await telemetry.stop();
      await gateway.close();
      await Promise.all([admin.close(), collector.close()]);
    },
  };
}
