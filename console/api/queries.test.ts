import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { api } from './calls.js';
import { createQueryClient } from './query-client.js';
import { jobFailuresQuery } from './queries.js';
import { CONSOLE_HEADER } from './send.js';

describe('the failures of a job', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('are loaded by the operator who turns the page, which keeps the session alive, and by the page when their number changes', async () => {
    const headers: unknown[] = [];
    jest.spyOn(api, 'GET').mockImplementation((async (_path: string, options: { headers?: Record<string, string> }) => {
      headers.push(options.headers?.[CONSOLE_HEADER]);
      return { data: { failures: [] }, response: {} };
    }) as never);
    const client = createQueryClient();
    const load = (cursor: string | undefined, count: number) => client.query(jobFailuresQuery('7', cursor, count));
    await load(undefined, 3);
    await load(undefined, 4);
    await load('second', 4);
    await load('second', 5);
    expect(headers).toEqual([undefined, 'background', undefined, 'background']);
  });
});
