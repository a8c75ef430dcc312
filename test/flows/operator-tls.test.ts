/** The operator API with its own certificate: only https, and the command line trusts the certificate of its settings. */
import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:net';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ListenerAdapter } from '../../src/gateway/http/listener.adapter.js';
import { OPERATOR_CERTIFICATE, OTHER_OPERATOR_CERTIFICATE } from '../support/certificates.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine } from '../support/operator-story.js';
import { testConfig } from '../support/test-config.js';

const NAME = 'foyer-operator.sso.svc';

let operator: TestOperator;
let port: number;
const foyer = commandLine(() => operator);

beforeAll(async () => {
  const own = testConfig().operator;
  operator = await startTestOperator({ config: () => ({ operator: { ...own, hostNames: [NAME], tls: OPERATOR_CERTIFICATE } }) });
  port = Number(new URL(operator.url).port);
});

afterAll(() => operator.close());

/** The settings of the gateway, as a pod has them. */
const settings = (certificate = OPERATOR_CERTIFICATE.certificate): Record<string, string> => ({
  OPERATOR_HOST: '127.0.0.1',
  OPERATOR_PORT: String(port),
  OPERATOR_TOKEN: operator.token,
  OPERATOR_TLS_CERT: certificate,
});

async function shakeHands(options: ConnectionOptions): Promise<TLSSocket> {
  const socket = connectTls({ host: '127.0.0.1', port, ca: OPERATOR_CERTIFICATE.certificate, servername: NAME, ...options });
  await once(socket, 'secureConnect');
  return socket;
}

describe('[OPR-12] the operator API with OPERATOR_TLS_CERT', () => {
  it('answers by https under its name to a client that checks the certificate', async () => {
    const headers = { authorization: `Bearer ${operator.token}`, host: NAME };
    const call = request({
      host: '127.0.0.1',
      port,
      servername: NAME,
      ca: OPERATOR_CERTIFICATE.certificate,
      path: '/operator/v1/health',
      headers,
    });
    const [answer] = (await once(call.end(), 'response')) as [{ statusCode: number; resume(): void }];
    answer.resume();
    expect(answer.statusCode).toBe(200);
  });

  it('answers nothing to plain http, and accepts no old version of TLS', async () => {
    const call = plainRequest({ host: '127.0.0.1', port, path: '/operator/v1/health' });
    await expect(once(call.end(), 'response')).rejects.toThrow(/socket hang up|ECONNRESET/);
    await expect(shakeHands({ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' })).rejects.toThrow();
    (await shakeHands({ maxVersion: 'TLSv1.2' })).destroy();
  });

  it('closes connections that have sent nothing, before and after their handshake', async () => {
    const adapter = new ListenerAdapter(testConfig().http, OPERATOR_CERTIFICATE);
    adapter.initHttpServer({});
    await once(adapter.listen(0, '127.0.0.1'), 'listening');
    const address = { host: '127.0.0.1', port: (adapter.getHttpServer().address() as { port: number }).port };
    // The side of the server ends after that of the client.
    const served = Promise.all([once(adapter.getHttpServer(), 'connection'), once(adapter.getHttpServer(), 'secureConnection')]);
    const silent = connect(address);
    const ready = connectTls({ ...address, ca: OPERATOR_CERTIFICATE.certificate, servername: NAME });
    await Promise.all([once(silent, 'connect'), once(ready, 'secureConnect'), served]);
    const ended = Promise.all([once(silent, 'close'), once(ready, 'close')]);
    adapter.closeUnusedConnections();
    await ended;
    await adapter.close();
  });
});

describe('[OPR-12] the command line beside it', () => {
  it('needs no address: it trusts the certificate of its settings, whatever its name', async () => {
    expect(await foyer('health', { env: settings() })).toMatchObject({ code: 0, err: '' });
  });

  it('creates, imports and exports through it', async () => {
    expect((await foyer('account create --username maria', { env: settings() })).code).toBe(0);
    const lines = ['anna', 'otto'].map((username) => `${JSON.stringify({ username })}\n`);
    const imported = await foyer('account import -', { env: settings(), input: () => Readable.from(lines.map(Buffer.from)) });
    expect(imported).toMatchObject({ code: 0 });
    const { out } = await foyer('account export', { env: settings() });
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { username: string }).username),
    ).toEqual(['maria', 'anna', 'otto']);
  });

  it('sends no token to a server with another certificate', async () => {
    const before = operator.logLines.length;
    const { code, err } = await foyer('health', { env: settings(OTHER_OPERATOR_CERTIFICATE.certificate) });
    expect([code, err]).toEqual([
      5,
      expect.stringMatching(/its certificate is not the one in OPERATOR_TLS_CERT; restart the gateway/),
    ]);
    expect(operator.logLines).toHaveLength(before);
  });

  it('checks the certificate as usual where an address is given', async () => {
    const env = { ...settings(), OPERATOR_URL: `https://127.0.0.1:${port}` };
    expect(await foyer('health', { env })).toMatchObject({
      code: 5,
      err: expect.stringMatching(/DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED/),
    });
  });
});
