/** Gives every component the session, and the answer to the question what its rights allow. */
import { createContext, useContext } from 'react';
import type { Session } from './session.js';

const SessionContext = createContext<Session | null>(null);

export const SessionProvider = SessionContext.Provider;

/** @throws outside of a signed-in page */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('There is no session here.');
  return session;
}

/** @returns a function that says whether the rights of the operator allow an operation. The server decides; this only hides. */
export function useAllowed(): (operation: string) => boolean {
  const { operations } = useSession();
  return (operation) => operations.includes(operation);
}
