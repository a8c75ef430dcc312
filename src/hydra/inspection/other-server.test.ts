/** What the inspections report if another server answers in place of Hydra. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { UpstreamUnavailable } from '../hydra.errors.js';
import { inspectUpstream } from './inspect-upstream.js';
import { listRegisteredClients } from './registered-clients.js';

let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', date: 'today' });
    response.end('<html></html>');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const buildSettings = () => ({ adminUrl: url, publicUrl: url, timeoutMs: 60_000 });

it('a page in place of the list of clients is an outage of Hydra', async () => {
  await expect(listRegisteredClients(buildSettings())).rejects.toBeInstanceOf(UpstreamUnavailable);
});

it('a `Date` that is not a time leaves the time of the clock unknown', async () => {
  expect((await inspectUpstream(buildSettings())).serverTime).toBeNull();
});
