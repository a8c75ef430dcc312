/** Provides the pages of a signed-in operator with the session and the operations that its rights allow. */
import { createContext, useContext } from 'react';
import type { Session } from './session.js';

const SessionContext = createContext<Session | null>(null);

export const SessionProvider = SessionContext.Provider;

/** @throws Error outside of the pages of a signed-in operator */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('The session is missing: only the pages of a signed-in operator have one.');
  return session;
}

/** @returns whether the part is on a page of a signed-in operator */
export function useHasSession(): boolean {
  return useContext(SessionContext) !== null;
}

/** @returns a function that returns whether the rights allow an operation. The server decides; the pages only hide controls. */
export function useAllowed(): (operation: string) => boolean {
  const { operations } = useSession();
  return (operation) => operations.includes(operation);
}
