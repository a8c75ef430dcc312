import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { OPERATOR_CERTIFICATE } from '../../../test/support/certificates.js';
import { buildPinnedFetch } from './pinned-fetch.js';

describe('the fetch for OPERATOR_TLS_CERT', () => {
  let server: Server;

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  async function get(listener: (request: IncomingMessage, response: ServerResponse) => void, silenceMs = 200): Promise<Response> {
    const { certificate: cert, key } = OPERATOR_CERTIFICATE;
    server = createServer({ cert, key }, listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return buildPinnedFetch(cert, silenceMs)(new Request(`https://127.0.0.1:${port}/`));
  }

  it('ends the wait for a server that sends nothing', async () => {
    await expect(get(() => undefined)).rejects.toThrow('no answer in time');
  });

  it('ends the wait for the rest of an answer', async () => {
    const response = await get((_request, answer) => void answer.write('one'));
    await expect(response.text()).rejects.toThrow();
  });

  it('refuses an answer that switches the protocol', async () => {
    const headers = { connection: 'upgrade', upgrade: 'x' };
    await expect(get((_request, answer) => answer.writeHead(101, headers).end())).rejects.toThrow('the connection was closed');
  });

  it('waits for a slow reader', async () => {
    const text = 'x'.repeat(8 * 1024 * 1024);
    const response = await get((_request, answer) => answer.end(text), 2000);
    await new Promise((resolve) => setTimeout(resolve, 5000));
    expect(await response.text()).toHaveLength(text.length);
  });
});
