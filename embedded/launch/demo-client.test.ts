import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { registerDemoClient } from './demo-client.js';

describe('registerDemoClient', () => {
  const client = { id: 'beispielportal', secret: 'a secret', baseUrl: 'http://localhost:5555' };
  let server: Server;
  let adminUrl: string;
  let calls: string[];
  let statuses: Record<string, number>;
  let bodies: Record<string, unknown>[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.once('end', () => {
        calls.push(`${request.method ?? ''} ${request.url ?? ''}`);
        bodies.push(JSON.parse(body) as Record<string, unknown>);
        response.writeHead(statuses[request.method ?? ''] ?? 500).end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    adminUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
  });

  beforeEach(() => {
    calls = [];
    bodies = [];
  });

  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('creates the client if it does not exist', async () => {
    statuses = { PUT: 404, POST: 201 };
    await registerDemoClient(adminUrl, client);
    expect(calls).toEqual([
      'PUT /admin/clients/beispielportal',
      'POST /admin/clients',
      'PUT /admin/clients/beispielportal-tv',
      'POST /admin/clients',
    ]);
    expect(bodies[1]).toMatchObject({ client_id: 'beispielportal', client_secret: 'a secret' });
  });

  it('[DEV-2] creates a client without a secret for the television', async () => {
    statuses = { PUT: 404, POST: 201 };
    await registerDemoClient(adminUrl, client);
    expect(bodies[3]).toMatchObject({
      client_id: 'beispielportal-tv',
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
      token_endpoint_auth_method: 'none',
    });
    expect(bodies[3]).not.toHaveProperty('client_secret');
  });

  it('replaces the addresses of an existing client', async () => {
    statuses = { PUT: 200 };
    await registerDemoClient(adminUrl, { ...client, baseUrl: 'http://localhost:5656' });
    expect(calls).toEqual(['PUT /admin/clients/beispielportal', 'PUT /admin/clients/beispielportal-tv']);
    expect(bodies[0]).toMatchObject({
      redirect_uris: ['http://localhost:5656/callback'],
      post_logout_redirect_uris: ['http://localhost:5656/signed-out'],
      backchannel_logout_uri: 'http://localhost:5656/backchannel-logout',
    });
  });

  it('fails with the HTTP status when the upstream refuses', async () => {
    statuses = { PUT: 404, POST: 400 };
    await expect(registerDemoClient(adminUrl, client)).rejects.toThrow('could not be registered (HTTP 400)');
    statuses = { PUT: 500, POST: 201 };
    await expect(registerDemoClient(adminUrl, client)).rejects.toThrow('could not be registered (HTTP 500)');
  });
});
