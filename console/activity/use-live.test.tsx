/** @jest-environment jsdom */
import { afterEach, expect, it, jest } from '@jest/globals';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { api } from '../api/calls.js';
import { createQueryClient } from '../api/query-client.js';
import { useLive } from './use-live.js';

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

it('a call that fails after the live page was switched off is not reported', async () => {
  jest.useFakeTimers();
  let fail = (): void => undefined;
  const call = new Promise((_, reject) => {
    fail = () => reject(new Error('no network'));
  });
  jest.spyOn(api, 'GET').mockImplementation((() => call) as never);
  const client = createQueryClient();
  const { result, rerender } = renderHook(({ isOn }) => useLive(isOn, {}), {
    initialProps: { isOn: true },
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  await act(() => jest.advanceTimersByTimeAsync(5_000));
  rerender({ isOn: false });
  await act(async () => fail());
  expect(result.current.error).toBeNull();
});
