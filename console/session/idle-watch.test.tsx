/** @jest-environment jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render } from '@testing-library/react';
import { createQueryClient } from '../api/query-client.js';
import { IdleWatch } from './idle-watch.js';
import { proofRequests } from './proof-requests.js';
import { SessionProvider } from './session-context.js';
import type { Session } from './session.js';

const IDLE_SECONDS = 900;
const OPERATOR = { account_id: 'a1', username: 'olga', display_name: 'Olga', language: null };
const SESSION = { operator: OPERATOR, idle_seconds: IDLE_SECONDS } as Partial<Session> as Session;

const respond = (status: number, body: object) =>
  ({ ok: status < 300, status, headers: new Map(), json: () => Promise.resolve(body) }) as unknown as Response;

describe('the idle watch', () => {
  const answers: (() => Promise<Response>)[] = [];
  const fetch = jest.fn(() => answers.shift()?.() ?? Promise.reject(new TypeError('no network')));

  beforeEach(() => {
    jest.useFakeTimers();
    // The environment has neither.
    Object.assign(globalThis, { fetch, Request: Object });
  });
  afterEach(() => {
    cleanup();
    proofRequests.settle(false);
    fetch.mockClear();
    jest.useRealTimers();
  });

  function startWatch(client = createQueryClient(), session = SESSION): void {
    render(
      <QueryClientProvider client={client}>
        <SessionProvider value={session}>
          <IdleWatch />
        </SessionProvider>
      </QueryClientProvider>,
    );
  }

  it('soon checks again after there was no answer, and while another tab keeps the session alive', async () => {
    startWatch();
    await jest.advanceTimersByTimeAsync(IDLE_SECONDS * 1000);
    expect(fetch).not.toHaveBeenCalled();
    answers.push(
      () => Promise.reject(new TypeError('no network')),
      () => Promise.resolve(respond(200, SESSION)),
      () => Promise.resolve(respond(401, { error: 'signed_out' })),
    );
    await jest.advanceTimersByTimeAsync(60_000);
    expect(fetch).toHaveBeenCalledTimes(3);
    expect(proofRequests.findKind()).toBe('signed_out');
  });

  it('also notices the end while a fresh proof is awaited, and then checks no more', async () => {
    startWatch();
    void proofRequests.ask('proof_outdated');
    answers.push(() => Promise.resolve(respond(401, { error: 'signed_out' })));
    await jest.advanceTimersByTimeAsync((IDLE_SECONDS + 60) * 1000);
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(proofRequests.findKind()).toBe('signed_out');
  });

  it('also notices the end after the computer has slept, when the clock of the page has stood still', async () => {
    startWatch();
    jest.setSystemTime(Date.now() + IDLE_SECONDS * 1000);
    answers.push(() => Promise.resolve(respond(401, { error: 'signed_out' })));
    await jest.advanceTimersByTimeAsync(15_000);
    expect(proofRequests.findKind()).toBe('signed_out');
  });

  it('also notices the end of a session whose time is over while the operator uses the page', async () => {
    startWatch(createQueryClient(), { ...SESSION, ends_at: new Date(Date.now() + 60_000).toISOString() });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(fetch).not.toHaveBeenCalled();
    answers.push(() => Promise.resolve(respond(401, { error: 'signed_out' })));
    await jest.advanceTimersByTimeAsync(15_000);
    expect(proofRequests.findKind()).toBe('signed_out');
  });

  it('does not give the page to somebody else who has signed in in another tab', async () => {
    // The environment only reports that it cannot load the page again.
    const report = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const client = createQueryClient();
    const show = jest.spyOn(client, 'setQueryData');
    startWatch(client);
    const session = { ...SESSION, operator: { ...OPERATOR, account_id: 'a2' } };
    answers.push(() => Promise.resolve(respond(200, session)));
    await jest.advanceTimersByTimeAsync((IDLE_SECONDS + 15) * 1000);
    expect(show).not.toHaveBeenCalled();
    expect(report).toHaveBeenCalledTimes(1);
    report.mockRestore();
  });
});
