import { afterEach, expect, it, jest } from '@jest/globals';
import { createQueryClient } from '../api/query-client.js';
import { reloadSession, sessionQuery, type Session } from './session.js';

const { fetch: originalFetch } = globalThis;
afterEach(() => {
  globalThis.fetch = originalFetch;
  jest.restoreAllMocks();
});

it('the session is loaded again without keeping it alive, and a failure leaves it unchanged', async () => {
  const session = { rights: ['read'] } as Partial<Session> as Session;
  const headers: (string | null)[] = [];
  const RealRequest = globalThis.Request;
  jest.spyOn(globalThis, 'Request').mockImplementation((_path, init) => new RealRequest('https://console.test/', init));
  globalThis.fetch = (request) => {
    headers.push((request as Request).headers.get('X-Foyer-Console'));
    return headers.length === 1 ? Promise.resolve(Response.json(session)) : Promise.reject(new TypeError('no network'));
  };
  const client = createQueryClient();
  await reloadSession(client);
  await reloadSession(client);
  expect(headers).toEqual(['background', 'background']);
  expect(client.getQueryData(sessionQuery.queryKey)).toEqual(session);
});
