/** Several sign-ins at the same moment in a real Hydra on PostgreSQL, which may stand still with few connections and then continues. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tryBurst } from '../../../src/hydra/inspection/sign-in-burst.js';
import { findFreePorts } from '../../../test-kit/free-ports.js';
import { startHydra } from '../../bench/hydra-process.js';
import { PostgresCluster, whyNoCluster } from '../../support/postgres-cluster.js';

const binary = process.env['HYDRA_BIN'];
const reason = binary ? whyNoCluster() : 'HYDRA_BIN is not set';
if (reason !== null) process.stderr.write(`SKIPPED: several sign-ins at once at a real Hydra: ${reason}\n`);
const TIMEOUT_MS = 180_000;

(reason === null ? describe : describe.skip)('several sign-ins at once at a real Hydra', () => {
  let cluster: PostgresCluster;

  beforeAll(async () => {
    cluster = await PostgresCluster.create();
    await cluster.start();
    await cluster.execute('create database hydra');
  }, TIMEOUT_MS);
  afterAll(() => cluster.remove(), TIMEOUT_MS);

  it.each([4, 40])(
    'the burst ends, leaves nothing behind, and Hydra continues with %i connections to its database',
    async (connections) => {
      const [publicPort = 0, adminPort = 0] = await findFreePorts(2);
      const [publicUrl, adminUrl] = [`http://127.0.0.1:${publicPort}`, `http://127.0.0.1:${adminPort}`];
      const dsn = `${cluster.url('hydra')}&sslmode=disable&max_conns=${connections}&max_idle_conns=${connections}`;
      const secret = { SECRETS_SYSTEM: 'contract-suite-only-not-a-secret' };
      const plan = { binary: binary ?? '', dsn, settings: secret };
      const hydra = await startHydra({ gateway: 'http://127.0.0.1:1', issuer: publicUrl, publicPort, adminPort }, plan);
      const settings = { publicUrl, adminUrl, timeoutMs: 30_000 };
      try {
        const burst = await tryBurst(settings, 16);
        expect(burst).toMatchObject({ singleMs: expect.any(Number), remainingClientId: null });
        expect(burst.timeouts).toBeLessThanOrEqual(16);
        // With few connections, the order of requests decides whether Hydra stands still; with many it never does.
        if (connections > 16) expect(burst).toMatchObject({ timeouts: 0, trouble: null });
        expect(await tryBurst(settings, 1)).toMatchObject({ timeouts: 0, trouble: null, remainingClientId: null });
        expect(await (await fetch(`${adminUrl}/admin/clients`)).json()).toEqual([]);
      } finally {
        await hydra.stop();
      }
    },
    TIMEOUT_MS,
  );
});
