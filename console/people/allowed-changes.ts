/** What an operator is offered on the page of an account. The server decides; this only hides what it would refuse. */
import type { AccountDetail } from '../api/calls.js';
import type { PhraseKey } from '../i18n/i18n.js';
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
  'source.link',
  'source.unlink',
  'factors.remove',
];

/** Not dangerous by the table, and refused or of no use on one's own account. */
const OF_OTHERS: readonly string[] = ['operators.grant', 'operators.revoke', 'supportCheck.ask'];

type Reached = Pick<AccountDetail, 'id' | 'may_change'>;

/** @returns the session without what the operator may not do to this account */
export function toSessionFor(session: Session, account: Reached): Session {
  const refused = listRefused(session, account);
  return { ...session, operations: session.operations.filter((operation) => !refused.includes(operation)) };
}

function listRefused({ operator }: Session, { id, may_change: mayChange }: Reached): readonly string[] {
  if (!mayChange) return [...ACTIONS.map(({ operation }) => operation), ...OF_OTHERS];
  return operator.account_id === id ? [...DONE_BY_OTHERS, ...OF_OTHERS] : [];
}

/** @returns why less is offered than the rights allow elsewhere; null if nothing is missing */
export function findRefusal({ operator, rights }: Session, { id, may_change: mayChange }: Reached): PhraseKey | null {
  const isOwn = operator.account_id === id;
  if (mayChange) return isOwn ? 'actions.own' : null;
  if (isOwn) return 'actions.own_no_admin';
  return rights.includes('support') ? 'actions.of_operator' : null;
}
