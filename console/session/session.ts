/** The session of the operator: its data from the server, the calls that load and end it, and the address at which it begins. */
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { BACKGROUND, CONSOLE_HEADER, sendOnce } from '../api/send.js';

export interface Session {
  operator: { account_id: string; username: string; display_name: string; language: string | null };
  rights: string[];
  /** Ids of the operations that the rights allow. */
  operations: string[];
  /** The time until which a dangerous operation needs no new proof, as ISO 8601; null if the proof is already too old. */
  fresh_until: string | null;
  /** Whether some operations wait for a second operator. */
  second_operator: boolean;
  /** Whether changes that could help an impostor need a check of who is calling. */
  support_check: boolean;
  /** Whether people who sign up wait for an operator. */
  sign_up_approval: boolean;
  /** Whether people can be invited. */
  invitations: boolean;
  ends_at: string;
  idle_seconds: number;
  /** The address at which people sign in. */
  public_url: string;
}

/** The path of the console, and the paths of the server and of this application with which a session begins and ends. */
export const PATHS = {
  base: '/console',
  signIn: '/console/sign-in',
  proven: '/console/proven',
  signedOut: '/console/signed-out',
} as const;

/**
 * @param isBackground whether the page makes the call on its own
 * @throws ApiError 401 `signed_out` if there is no session, and everything else that `sendOnce` throws
 */
export async function fetchSession(isBackground = false): Promise<Session> {
  const headers = isBackground ? BACKGROUND : { [CONSOLE_HEADER]: '1' };
  const response = await sendOnce(new Request('/console/session', { headers }));
  return (await response.json()) as Session;
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => fetchSession(),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
});

/** Loads the session again, for example because the rights have changed, without keeping it alive. A failure changes nothing. */
export async function reloadSession(client: QueryClient): Promise<void> {
  const session = await fetchSession(true).catch(() => null);
  if (session !== null) client.setQueryData(sessionQuery.queryKey, session);
}

/** @param returnTo a path of the console */
export function buildSignInUrl(returnTo: string, isFresh = false): string {
  const query = new URLSearchParams({ return_to: returnTo, ...(isFresh ? { fresh: '1' } : {}) });
  return `${PATHS.signIn}?${query.toString()}`;
}

export async function signOut(): Promise<void> {
  await sendOnce(new Request('/console/sign-out', { method: 'POST', headers: { [CONSOLE_HEADER]: '1' } }));
}
