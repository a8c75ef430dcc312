/** The receiver of telemetry: what it gets, which trace headers count, and that an outage of it affects nobody. */
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Config } from '../../src/config/config.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { startTelemetry } from '../../src/telemetry/start-telemetry.js';
import { startTestGateway } from '../support/gateway.js';
import { startOtlpCollector } from '../support/otlp-collector.js';
import { waitUntil } from '../support/upstream-waiting.js';
import { telemetrySettings } from '../support/watched-gateway.js';

type Receiver = NonNullable<Config['telemetry']['otlp']>;

const TIMEOUT_MS = 180_000;
const REMOTE = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' };
const toClose: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
});

async function receiver(more: Partial<Receiver> = {}, general: Partial<Config['telemetry']> = {}) {
  const collector = await startOtlpCollector();
  const states: { isAccepting: boolean; signal: string; reason?: string }[] = [];
  const { otlp, ...settings } = telemetrySettings(collector.endpoint, general);
  const telemetry = await startTelemetry({ ...settings, otlp: { ...(otlp as Receiver), ...more } }, (state) =>
    states.push(state),
  );
  toClose.push(
    () => collector.close(),
    () => telemetry.stop(),
  );
  return { collector, telemetry, states };
}

const header = (flags: string) => ({ traceparent: `00-${REMOTE.trace}-${REMOTE.span}-${flags}` });

describe('the trace of a client', () => {
  it('is continued if the settings say that a proxy is in front', async () => {
    const { collector, telemetry } = await receiver();
    const gateway = await startTestGateway({ telemetry, config: () => ({ trustProxyHops: 1 }) });
    await gateway.browser(header('01')).get(PATHS.login);
    await gateway.browser(header('00')).get(PATHS.logout);
    await gateway.browser({ traceparent: '00-zz-01' }).get(PATHS.consent);
    await gateway.close();
    await telemetry.stop();
    const requests = collector.spans().filter(({ kind }) => kind === 2);
    const findSpan = (name: string) => requests.find((span) => span.name === name);
    expect(findSpan(`GET ${PATHS.login}`)).toMatchObject({ traceId: REMOTE.trace, parentSpanId: REMOTE.span });
    expect(findSpan(`GET ${PATHS.logout}`)).toBeUndefined();
    expect(findSpan(`GET ${PATHS.consent}`)?.traceId).not.toBe(REMOTE.trace);
    const line = gateway.logLines.find(({ path }) => path === PATHS.login);
    const { spanId, attributes } = findSpan(`GET ${PATHS.login}`) ?? {};
    expect(line).toMatchObject({ requestId: attributes?.['foyer.request.id'], trace_id: REMOTE.trace, span_id: spanId });
  });

  it('is not read at the health addresses', async () => {
    const { collector, telemetry } = await receiver();
    const gateway = await startTestGateway({ telemetry });
    await gateway.browser().get(SERVER_PATHS.healthLive);
    const scraped = await telemetry.scrape();
    await gateway.close();
    await telemetry.stop();
    expect(collector.spans().filter(({ kind }) => kind === 2)).toEqual([]);
    expect(scraped).toContain(`http_route="${SERVER_PATHS.healthLive}"`);
  });
});

describe('[INS-9] a receiver', () => {
  it('gets its headers, the name of the service and its configured attributes', async () => {
    const { collector, telemetry } = await receiver(
      { headers: { authorization: 'Bearer of-the-receiver' } },
      { serviceName: 'anmeldung', resource: { 'deployment.environment.name': 'probe' } },
    );
    await telemetry.runInSpan({ span: 'mail', name: 'mail send', begins: true }, () => Promise.resolve());
    await telemetry.stop();
    expect(collector.headers.map(({ authorization }) => authorization)).toEqual(Array(2).fill('Bearer of-the-receiver'));
    for (const body of collector.bodies) {
      expect(body).toContain('"anmeldung"');
      expect(body).toContain('"deployment.environment.name"');
      expect(body).not.toContain('of-the-receiver');
    }
  });

  it('is reported once when it refuses, and once when it accepts again', async () => {
    const { collector, telemetry, states } = await receiver({ traces: false, metricIntervalMs: 1000 });
    const waitForStates = (count: number): Promise<void> => waitUntil(TIMEOUT_MS, async () => states.length >= count);
    collector.answer(400);
    await waitForStates(1);
    const refused = collector.headers.length;
    await waitUntil(TIMEOUT_MS, async () => collector.headers.length >= refused + 3);
    collector.answer(200);
    await waitForStates(2);
    await telemetry.stop();
    expect(states.map(({ isAccepting }) => isAccepting)).toEqual([false, true]);
  });

  it('does not affect requests or the shutdown during an outage', async () => {
    const { collector, telemetry, states } = await receiver({ timeoutMs: 200 });
    await collector.close();
    const gateway = await startTestGateway({ telemetry });
    for (let count = 0; count < 20; count++) expect((await gateway.browser().get(PATHS.login)).status).toBe(400);
    await gateway.close();
    await telemetry.stop();
    expect(states.filter(({ isAccepting }) => isAccepting)).toEqual([]);
    expect(states[0]?.reason).toMatch(/^[\w]+$/);
  });
});
