import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Examination } from './examination.js';
import { gatewayCheck } from './checks/gateway.check.js';
import { inspectGateway } from './gateway-probe.js';

interface ReadyAnswer {
  status: number;
  body: object;
}

const READY: ReadyAnswer = { status: 200, body: { status: 'ok', database: 'ok', clock: 'ok', upstream: 'ok' } };
const buildNotReady = (...parts: readonly string[]): ReadyAnswer => ({
  status: 503,
  body: { ...READY.body, status: 'unavailable', ...Object.fromEntries(parts.map((part) => [part, 'unavailable'])) },
});

let server: Server | undefined;
afterEach(() => void server?.close());

/** Checks a gateway with these answers. @param answers the successive answers of `/health/ready`; the last one is repeated */
async function examineGateway(...answers: readonly ReadyAnswer[]): Promise<string[]> {
  let requestCount = 0;
  server = createServer(({ url }, response) => {
    const path = url ?? '';
    const { status, body } = path === '/health/ready' ? (answers[requestCount++] ?? answers.at(-1) ?? READY) : READY;
    response.writeHead(status, { 'Set-Cookie': 'foyer=1; Path=/', 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server?.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  const config = { publicUrl: `http://localhost:${port}`, host: 'localhost', port: 1 };
  const inspection = await inspectGateway(config);
  const examination = { config, gateway: async () => ({ inspection }) } as unknown as Examination;
  const findings = await gatewayCheck.run(examination);
  return findings.slice(1).map(({ level, what, fix }) => `${level}: ${what} ${fix ?? ''}`.trim());
}

describe('the doctor at a gateway that is not ready', () => {
  it('names the clock and no part that is ready', async () => {
    const findings = await examineGateway(buildNotReady('clock'));
    expect(findings).toEqual([
      expect.stringMatching(/^fault: Foyer reports that it is not ready: the clock of Foyer's machine .*NTP/),
    ]);
    expect(findings[0]).not.toMatch(/the database does not answer|Hydra/);
  });

  it('names every part that is not ready', async () => {
    expect(await examineGateway(buildNotReady('database', 'upstream'))).toEqual([
      expect.stringMatching(/the database does not answer, or is read-only; Hydra does not answer\./),
    ]);
  });

  it('reports a gateway that states no reason', async () => {
    expect(await examineGateway({ status: 502, body: [] })).toEqual([
      'fault: Foyer reports that it is not ready: it reports no reason. Read the log of the gateway.',
    ]);
  });

  it('tries again, because a busy gateway may have stopped waiting for its parts', async () => {
    expect(await examineGateway(buildNotReady('upstream'), buildNotReady('upstream'), READY)).toEqual([]);
  });
});
