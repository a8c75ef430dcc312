/** Who may read the metrics, at which address, and that none exist unless they are configured. */
import { get } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Config } from '../../src/config/config.js';
import { randomToken } from '../../src/config/keys.js';
import { startTelemetry } from '../../src/telemetry/start-telemetry.js';
import { TELEMETRY_OFF, type Telemetry } from '../../src/telemetry/telemetry.js';
import { startTestGateway } from '../support/gateway.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';

const METRICS_TOKEN = randomToken();
const ONLY_SCRAPED: Config['telemetry'] = { serviceName: 'foyer', resource: {}, prometheus: { token: METRICS_TOKEN } };

let telemetry: Telemetry;
let operator: TestOperator;

beforeAll(async () => {
  telemetry = await startTelemetry(ONLY_SCRAPED, () => undefined);
  operator = await startTestOperator({ config: () => ({ telemetry: ONLY_SCRAPED }), foundation: () => ({ telemetry }) });
});
afterAll(async () => {
  await operator.close();
  await telemetry.stop();
});
afterEach(() => operator.clock.advanceSeconds(120));

interface Read {
  status: number | undefined;
  type: string | undefined;
  text: string;
}

function read(url: string, token?: string): Promise<Read> {
  return new Promise((resolve, reject) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    get(url, { headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode, type: answer.headers['content-type'], text }));
    }).on('error', reject);
  });
}

describe('[INS-9] the metrics', () => {
  it.each(['METRICS_TOKEN', 'OPERATOR_TOKEN'])('can be read with %s', async (name) => {
    const answer = await read(`${operator.url}/metrics`, name === 'METRICS_TOKEN' ? METRICS_TOKEN : operator.token);
    expect(answer).toMatchObject({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8' });
    expect(answer.text).toMatch(/^process_uptime_seconds \d/m);
    expect(answer.text).toMatch(/^foyer_build_info\{service_version="\d+\.\d+\.\d+",process_runtime_version="\d/m);
    expect(answer.text).toMatch(/^target_info\{.*service_name="foyer"/m);
  });

  it('cannot be read without a token or with a wrong one', async () => {
    expect((await read(`${operator.url}/metrics`)).status).toBe(401);
    const wrong = await read(`${operator.url}/metrics`, METRICS_TOKEN.toUpperCase());
    expect(wrong.status).toBe(401);
    expect(wrong.text).not.toContain('process_uptime');
  });

  it('have a token that opens nothing else, however the path is spelled', async () => {
    for (const path of [
      '/operator/v1/accounts',
      '/operator/v1/health',
      '/metrics/',
      '/metrics?x',
      '//metrics',
      '/metrics/..',
      '/',
    ]) {
      operator.clock.advanceSeconds(120);
      expect([path, (await read(`${operator.url}${path}`, METRICS_TOKEN)).status]).toEqual([path, 401]);
    }
    const posted = await operator.call('POST', '/../../metrics', undefined, { authorization: `Bearer ${METRICS_TOKEN}` });
    expect(posted.status).toBe(401);
  });

  it('are answered although a reading fails or never ends', async () => {
    // A gauge that no module of this test observes.
    telemetry.observe('db.client.connection.max', () => Promise.reject(new Error('the database is away')));
    telemetry.observe('foyer.part.ready', () => new Promise(() => undefined));
    const answer = await read(`${operator.url}/metrics`, METRICS_TOKEN);
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(/^process_uptime_seconds \d/m);
    expect(answer.text).not.toMatch(/^(db_client_connection_max|foyer_part_ready)/m);
  });
});

describe('[INS-9] without metrics in the settings', () => {
  it('nothing is measured, and the page does not exist', async () => {
    const off = await startTelemetry({ serviceName: 'foyer', resource: {} }, () => undefined);
    expect(off).toBe(TELEMETRY_OFF);
    const quiet = await startTestOperator({ foundation: () => ({ telemetry: off }) });
    expect((await read(`${quiet.url}/metrics`, quiet.token)).status).toBe(404);
    await quiet.close();
  });
});

it('[INS-9] the public port has no metrics', async () => {
  const gateway = await startTestGateway({ telemetry });
  const answer = await read(`${gateway.url}/metrics`, METRICS_TOKEN);
  expect(answer.status).toBe(404);
  expect(answer.text).not.toContain('process_uptime');
  await gateway.close();
});
