/** What an operator is offered on the page of their own account. The server decides; this only hides what it would refuse. */
import type { Session } from '../session/session.js';
import { ACTIONS } from './actions.js';

/** What is dangerous by the table of the server, which a test compares: nobody does it to their own account. */
const DONE_BY_OTHERS: readonly string[] = [
  'resets.password',
  'resets.factors',
  'access.unfreeze',
  'access.enable',
  'accounts.change',
  'deletion.schedule',
  'deletion.delete',
  'providers.disconnect',
  'factors.remove',
];

/** @returns the session without what the operator may not do to their own account. Only `admin` changes the account of an operator. */
export function toOwnSession(session: Session): Session {
  const refused = session.rights.includes('admin') ? DONE_BY_OTHERS : ACTIONS.map(({ operation }) => operation);
  return { ...session, operations: session.operations.filter((operation) => !refused.includes(operation)) };
}
