/** How long loaded data are shown without a new call, and which calls are tried again. */
import { QueryClient, useQueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.js';

const CURRENT_MS = 10_000;
const MAX_RETRIES = 2;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: CURRENT_MS,
        // An error with a status below 500 is final. A server that fails or does not answer may recover soon.
        retry: (failures, error) => failures < MAX_RETRIES && !(error instanceof ApiError && error.status < 500),
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** @returns a function that reloads everything on the page that could not be loaded */
export function useRetry(): () => void {
  const client = useQueryClient();
  return () => void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
}
