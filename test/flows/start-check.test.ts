/** What a gateway reports at its start about wrong addresses of Hydra, of the mail server and of a directory. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { startUpstream, type Upstream } from '../../embedded/upstream/start-upstream.js';
import { buildGatewayUrls } from '../../embedded/upstream/gateway-urls.js';
import type { Config } from '../../src/config/config.js';
import { SERVER_PATHS } from '../../src/contract/paths.js';
import { OryHydraAdapter } from '../../src/hydra/ory-hydra.adapter.js';
import { StartCheck } from '../../src/operator/doctor/start-check.js';
import { createUserSources } from '../../src/sources/create-user-sources.js';
import { Keys } from '../../src/config/keys.js';
import { SystemClock } from '../../src/config/clock.js';
import { TelemetryOff, type Telemetry } from '../../src/telemetry/telemetry.js';
import { findFreePorts } from '../../test-kit/free-ports.js';
import { startTestGateway } from '../support/gateway.js';
import { testConfig } from '../support/test-config.js';
import { waitUntil } from '../support/upstream-waiting.js';

const WAIT_MS = 180_000;

class Gauge extends TelemetryOff {
  read: () => unknown = () => null;
  override observe(...[, read]: Parameters<Telemetry['observe']> | []): void {
    if (read) this.read = read;
  }
}

interface Line {
  level: number;
  msg: string;
}

describe('the check at the start', () => {
  let upstream: Upstream;
  let deadPort: number;

  beforeAll(async () => {
    [deadPort = 0] = await findFreePorts(1);
    upstream = await startUpstream({
      host: 'localhost',
      publicPort: 0,
      adminPort: 0,
      urls: buildGatewayUrls('http://localhost:3000'),
      dataDir: null,
      secret: 'a secret of the test that is long enough',
    });
  });

  afterAll(() => upstream.close());

  function startCheck(more: Partial<Config>, repeatMs?: number): { check: StartCheck; lines: Line[]; gauge: Gauge } {
    const { adminUrl, publicUrl } = upstream;
    const base = testConfig(() => ({ hydra: { adminUrl, publicUrl, timeoutMs: WAIT_MS } }));
    const config = { ...base, mail: { from: base.mail.from }, ...more };
    const lines: Line[] = [];
    const log = pino({ base: null }, { write: (text: string) => void lines.push(JSON.parse(text) as Line) });
    const gauge = new Gauge();
    const sources = createUserSources(config.sources, {
      clock: new SystemClock(),
      log: pino({ level: 'silent' }),
      keys: new Keys(config.secrets),
      publicUrl: config.publicUrl,
    });
    const check = new StartCheck({ config, sources, log, telemetry: gauge, ...(repeatMs === undefined ? {} : { repeatMs }) });
    return { check, lines, gauge };
  }

  const messages = (lines: readonly Line[], level: number): string[] =>
    lines.filter((line) => line.level === level).map(({ msg }) => msg);

  it(
    'logs nothing without a fault, and counts none',
    async () => {
      const { check, lines, gauge } = startCheck({});
      await check.run();
      expect(lines).toEqual([]);
      expect(await gauge.read()).toEqual(
        ['upstream', 'sources', 'mail'].map((name) => ({ value: 0, attributes: { 'foyer.check': name } })),
      );
    },
    WAIT_MS,
  );

  it(
    'reports a HYDRA_ADMIN_URL with the public port with one line, and the gateway is not ready',
    async () => {
      const hydra = { adminUrl: upstream.publicUrl, publicUrl: upstream.publicUrl, timeoutMs: WAIT_MS };
      const gateway = await startTestGateway({ hydra: new OryHydraAdapter(hydra) });
      try {
        // The server answers the first request of Foyer.
        expect((await fetch(`${upstream.publicUrl}/health/ready`)).status).toBe(200);
        const { status, html } = await gateway.browser().get(SERVER_PATHS.healthReady);
        expect([status, JSON.parse(html)]).toEqual([503, expect.objectContaining({ upstream: 'unavailable' })]);
      } finally {
        await gateway.close();
      }
      const { check, lines, gauge } = startCheck({ hydra });
      await check.run();
      check.stop();
      expect(messages(lines, 40)).toEqual([`HYDRA_ADMIN_URL, ${upstream.publicUrl}, is the public API of Hydra.`]);
      expect(await gauge.read()).toContainEqual({ value: 1, attributes: { 'foyer.check': 'upstream' } });
    },
    WAIT_MS,
  );

  it(
    'reports another issuer, a dead address, and a mail server and a directory that do not answer, with one line each',
    async () => {
      const dead = `localhost:${deadPort}`;
      const ldap = { id: 'staff', type: 'ldap', urls: [`ldap://${dead}`], encryption: 'none', timeoutMs: WAIT_MS };
      const mapped = { subject: 'entryUUID', login: ['uid'], username: 'uid', displayName: 'cn', email: 'mail', attributes: {} };
      const source = { ...ldap, ...mapped, base: 'dc=example', filter: '(uid=*)', emailVerified: true };
      const { mail } = testConfig();
      const { check, lines, gauge } = startCheck(
        {
          hydra: {
            adminUrl: `http://${dead}`,
            publicUrl: upstream.publicUrl.replace('localhost', '127.0.0.1'),
            timeoutMs: WAIT_MS,
          },
          mail: { ...mail, server: { host: 'localhost', port: deadPort, encryption: 'none' } },
          sources: [source] as unknown as Config['sources'],
        },
        1,
      );
      await check.run();
      // The check runs again, and reports nothing twice.
      await check.run();
      check.stop();
      const warnings = messages(lines, 40);
      expect(warnings).toHaveLength(4);
      expect(warnings).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^No server answers at HYDRA_ADMIN_URL/),
          expect.stringMatching(/^The issuer of Hydra is http:\/\/localhost:\d+, but HYDRA_PUBLIC_URL is http:\/\/127\.0\.0\.1:/),
          expect.stringMatching(/^The mail server at localhost:\d+ refuses connections/),
          expect.stringMatching(/^The source staff cannot be used at ldap:/),
        ]),
      );
      expect(await gauge.read()).toEqual([
        { value: 2, attributes: { 'foyer.check': 'upstream' } },
        { value: 1, attributes: { 'foyer.check': 'sources' } },
        { value: 1, attributes: { 'foyer.check': 'mail' } },
      ]);
    },
    WAIT_MS,
  );

  it(
    'is repeated until Hydra answers, reports that once, and then stops',
    async () => {
      const hydra = { adminUrl: `http://localhost:${deadPort}`, publicUrl: upstream.publicUrl, timeoutMs: WAIT_MS };
      const { check, lines, gauge } = startCheck({ hydra }, 1);
      await check.run();
      hydra.adminUrl = upstream.adminUrl;
      await waitUntil(WAIT_MS, () => Promise.resolve(messages(lines, 30).length > 0));
      expect(messages(lines, 30)).toEqual(['all faults of this check are fixed']);
      expect(await gauge.read()).toContainEqual({ value: 0, attributes: { 'foyer.check': 'upstream' } });
      check.stop();
    },
    2 * WAIT_MS,
  );
});
