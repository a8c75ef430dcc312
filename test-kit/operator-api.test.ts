import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi } from './operator-api.js';

describe('OperatorApi', () => {
  let server: Server;
  let api: OperatorApi;

  beforeAll(async () => {
    // For example a proxy in front of the operator API.
    server = createServer((_, response) => void response.writeHead(502, { 'Content-Length': 0 }).end());
    await once(server.listen(0, 'localhost'), 'listening');
    const { port } = server.address() as AddressInfo;
    api = new OperatorApi({ operatorUrl: `http://localhost:${port}`, operatorToken: 'token' });
  });

  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('describes an error answer without a body', async () => {
    const person = { username: 'maria', password: 'a password', display_name: 'Maria' };
    const message = 'The operator API answered 502 to';
    await expect(api.call('GET', '/health')).rejects.toThrow(`${message} GET /health`);
    await expect(api.createAccount(person)).rejects.toThrow(`${message} POST /imports`);
  });
});
