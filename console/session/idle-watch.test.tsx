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
const SESSION = { idle_seconds: IDLE_SECONDS } as Session;

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

  function startWatch(): void {
    render(
      <QueryClientProvider client={createQueryClient()}>
        <SessionProvider value={SESSION}>
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
});
