/** A Hydra that accepts connections and does not answer, with the real adapter and a real connection. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { OryHydraAdapter } from '../../src/hydra/ory-hydra.adapter.js';
import { startFakeAdminApi, type FakeAdminApi } from '../support/fake-admin-api.js';
import { FaultProxy } from '../support/fault-proxy.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { waitUntil } from '../support/upstream-waiting.js';

const WAIT_MS = 60_000;
/** No request below may wait for Hydra. */
const HYDRA_TIMEOUT_MS = 10 * WAIT_MS;

interface Ready {
  status: number;
  json: Record<string, string>;
}

describe('[INS-4] readiness while Hydra takes connections and is silent', () => {
  let admin: FakeAdminApi;
  let network: FaultProxy;
  const gateways: TestGateway[] = [];

  async function start(): Promise<TestGateway> {
    const settings = { ...admin.settings, adminUrl: `http://127.0.0.1:${network.port}`, timeoutMs: HYDRA_TIMEOUT_MS };
    const gateway = await startTestGateway({ hydra: new OryHydraAdapter(settings) });
    gateways.push(gateway);
    return gateway;
  }

  async function readReadiness(gateway: TestGateway): Promise<Ready> {
    const { status, html } = await gateway.browser().get(SERVER_PATHS.healthReady);
    return { status, json: JSON.parse(html) as Record<string, string> };
  }

  beforeAll(async () => {
    admin = await startFakeAdminApi(() => gateways[0]!.hydra);
    network = await FaultProxy.start(Number(new URL(admin.settings.adminUrl).port), 'localhost');
  });

  afterAll(async () => {
    await network.close();
    await Promise.all(gateways.map((gateway) => gateway.close()));
    await admin.close();
  });

  it(
    'is answered without waiting for Hydra, stays 200, reports the outage, and recovers',
    async () => {
      network.fault = 'none';
      const gateway = await start();
      await waitUntil(WAIT_MS, async () => (await readReadiness(gateway)).json['status'] === 'ok');
      network.fault = 'hang';
      await waitUntil(WAIT_MS, async () => {
        const { status, json } = await readReadiness(gateway);
        expect(status).toBe(200);
        return json['status'] === 'degraded' && json['upstream'] === 'unavailable';
      });
      expect((await gateway.browser().get(PATHS.passwordRequestForm)).status).toBe(200);
      network.fault = 'none';
      network.dropAll();
      await waitUntil(WAIT_MS, async () => (await readReadiness(gateway)).json['status'] === 'ok');
    },
    2 * WAIT_MS,
  );

  it(
    'of a gateway that starts meanwhile is 503 first, and 200 afterwards',
    async () => {
      network.fault = 'hang';
      const gateway = await start();
      expect(await readReadiness(gateway)).toMatchObject({
        status: 503,
        json: { status: 'unavailable', upstream: 'unavailable' },
      });
      network.fault = 'none';
      network.dropAll();
      await waitUntil(WAIT_MS, async () => (await readReadiness(gateway)).status === 200);
    },
    2 * WAIT_MS,
  );
});
