import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { BackChannel } from './back-channel.js';

const TIMEOUT_MS = 60_000;

describe('BackChannel', () => {
  const servers: Server[] = [];
  const channels: BackChannel[] = [];

  afterEach(() => {
    for (const channel of channels.splice(0)) channel.close();
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function serve(answer: (req: IncomingMessage, res: ServerResponse) => void): Promise<string> {
    const server = createServer(answer).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/bc?x=1`;
  }

  function createChannel(): { channel: BackChannel; failure: Promise<string> } {
    let report: (line: string) => void = () => undefined;
    const failure = new Promise<string>((resolve) => (report = resolve));
    const channel = new BackChannel((clientId, reason) => report(`${clientId}: ${reason}`), TIMEOUT_MS);
    channels.push(channel);
    return { channel, failure };
  }

  it('posts the token as a form', async () => {
    const requestText = new Promise<string>((resolve) => {
      void serve((req, res) => {
        let body = '';
        req.on('data', (chunk: Buffer) => (body += chunk.toString()));
        req.on('end', () => {
          res.end();
          resolve(`${req.method ?? ''} ${req.url ?? ''} ${req.headers['content-type'] ?? ''} ${body}`);
        });
      }).then((url) => createChannel().channel.notify({ clientId: 'app', url, token: 'a.b.c' }));
    });
    expect(await requestText).toBe('POST /bc?x=1 application/x-www-form-urlencoded logout_token=a.b.c');
  });

  it('reports an answer that switches the protocol', async () => {
    const { channel, failure } = createChannel();
    const url = await serve((_req, res) => res.writeHead(101, { connection: 'upgrade', upgrade: 'x' }).end());
    channel.notify({ clientId: 'app', url, token: 't' });
    expect(await failure).toBe('app: unreachable');
  });

  it('tries again after a 503, and does not try again after a 400', async () => {
    let calls = 0;
    const firstChannel = createChannel();
    const url = await serve((_req, res) => {
      calls++;
      res.statusCode = 400;
      res.end();
    });
    firstChannel.channel.notify({ clientId: 'app', url, token: 't' });
    expect(await firstChannel.failure).toBe('app: status 400');
    expect(calls).toBe(1);

    const recoveringUrl = await serve((_req, res) => {
      calls++;
      res.statusCode = calls === 2 ? 503 : 204;
      res.end();
      if (calls === 3) recover();
    });
    let recover = (): void => undefined;
    const recovery = new Promise<void>((resolve) => (recover = resolve));
    createChannel().channel.notify({ clientId: 'app', url: recoveringUrl, token: 't' });
    await recovery;
    expect(calls).toBe(3);
  });

  it('reports a client that cannot be reached', async () => {
    const { channel, failure } = createChannel();
    channel.notify({ clientId: 'gone', url: 'http://127.0.0.1:1/bc', token: 't' });
    expect(await failure).toBe('gone: ECONNREFUSED');
  });

  it('reports a logout address that is not a URL', async () => {
    const { channel, failure } = createChannel();
    channel.notify({ clientId: 'odd', url: 'nowhere', token: 't' });
    expect(await failure).toMatch(/^odd: ERR_INVALID/);
  });
});
