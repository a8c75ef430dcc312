/** How long what was loaded is shown without asking again, and what is tried once more. */
import { QueryClient, useQueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.js';

const CURRENT_MS = 10_000;
const MOST_TRIES = 2;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: CURRENT_MS,
        // An answer that refuses is final. A server that fails or does not answer may be back at once.
        retry: (failures, error) => failures < MOST_TRIES && !(error instanceof ApiError && error.status < 500),
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** @returns a function that asks again for everything on the page that could not be loaded */
export function useRetry(): () => void {
  const client = useQueryClient();
  return () => void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
}
