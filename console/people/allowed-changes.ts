/** The operations that the page of an account offers. The server decides; the page hides what would be refused or is useless. */
import type { AccountDetail } from '../api/calls.js';
import type { PhraseKey } from '../i18n/i18n.js';
import type { Session } from '../session/session.js';
import { ACTIONS } from './actions.js';

/**
 * The operations of actions that the server's table marks as dangerous (a test compares them). Nobody may apply them to their own
 * account.
 */
const DANGEROUS_OPERATIONS: readonly string[] = [
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

/** Further operations of the page that are refused or useless on one's own account. */
const NOT_ON_OWN_ACCOUNT: readonly string[] = ['operators.grant', 'operators.revoke', 'supportCheck.ask'];

type AccountAccess = Pick<AccountDetail, 'id' | 'may_change'>;

/** @returns the session without the operations that the operator may not apply to this account */
export function restrictSession(session: Session, account: AccountAccess): Session {
  const refusedOperations = listRefusedOperations(session, account);
  return { ...session, operations: session.operations.filter((operation) => !refusedOperations.includes(operation)) };
}

function listRefusedOperations({ operator }: Session, { id, may_change: mayChange }: AccountAccess): readonly string[] {
  if (!mayChange) return [...ACTIONS.map(({ operation }) => operation), ...NOT_ON_OWN_ACCOUNT];
  return operator.account_id === id ? [...DANGEROUS_OPERATIONS, ...NOT_ON_OWN_ACCOUNT] : [];
}

/** @returns why the operator may not change this account, or not in every way; null if this needs no explanation */
export function findRestriction({ operator, rights }: Session, { id, may_change: mayChange }: AccountAccess): PhraseKey | null {
  const isOwn = operator.account_id === id;
  if (mayChange) return isOwn ? 'actions.own' : null;
  if (isOwn) return 'actions.own_no_admin';
  return rights.includes('support') ? 'actions.of_operator' : null;
}
