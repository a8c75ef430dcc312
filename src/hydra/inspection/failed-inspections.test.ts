/** What the inspections report and remove if Hydra, a hook or the doctor itself fails during an inspection. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { AuthorizationInspector } from './inspect-authorization.js';
import { inspectTokenHook } from './inspect-token-hook.js';
import { InspectionBrowser } from './inspection-browser.js';
import { tryBurst } from './sign-in-burst.js';

/** The `Location` of an authorization request. */
let location: string;
let onTokenRequest: () => void;
let requests: string[];
let server: Server;
let url: string;

beforeEach(async () => {
  requests = [];
  server = createServer(({ method = '', url: target = '' }, response) => {
    const { pathname } = new URL(target, url);
    requests.push(`${method} ${pathname}`);
    if (pathname === '/oauth2/token') return onTokenRequest();
    if (method === 'DELETE') response.writeHead(204);
    else if (pathname.startsWith('/admin/')) response.writeHead(200, { 'content-type': 'application/json' });
    else response.writeHead(302, { location });
    response.end(method === 'DELETE' ? '' : JSON.stringify({ redirect_to: `${url}/oauth2/auth` }));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  jest.restoreAllMocks();
  server.closeAllConnections();
  server.close();
});

const buildSettings = () => ({ adminUrl: url, publicUrl: url, timeoutMs: 60_000 });
const listRemovals = () => requests.filter((request) => request.startsWith('DELETE /admin/clients/'));

it('a redirect without a valid address ends the inspection with a reason', async () => {
  location = 'http://';
  const { trouble, remainingClientId } = await new AuthorizationInspector(buildSettings()).inspect();
  expect([trouble, remainingClientId]).toEqual(['Hydra answered with a redirect to an invalid address', null]);
});

it('a hook that accepts the call of Hydra and does not answer is named as a possible reason', async () => {
  location = 'https://foyer-doctor.invalid/?login_challenge=1&consent_challenge=2&code=3';
  const limit = new AbortController();
  jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  onTokenRequest = () => limit.abort(new DOMException('', 'TimeoutError'));
  const { tokens, trouble } = await inspectTokenHook(buildSettings());
  expect([tokens, trouble]).toEqual([null, expect.stringContaining('perhaps because its token hook does not answer')]);
});

it('the client of a burst is removed even if the doctor has a defect', async () => {
  jest.spyOn(InspectionBrowser.prototype, 'go').mockRejectedValue(new TypeError('defect'));
  await expect(tryBurst(buildSettings(), 2)).rejects.toThrow('defect');
  expect(listRemovals()).toHaveLength(1);
});
