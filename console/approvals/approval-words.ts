/** The names, effects, members and commands of the operations that wait for a second operator, as the second operator reads them. */
import type { AccountDetail, Approval } from '../api/calls.js';
import type { PhraseKey } from '../i18n/i18n.js';
import { getAction, type Requirements } from '../people/actions.js';
import type { CommandLine } from '../people/command-line.js';

export type Decision = 'approve' | 'reject' | 'withdraw';

/** The names of the operations, by their ids. */
export const OPERATION_TITLES: Readonly<Record<string, PhraseKey>> = {
  'accounts.change': 'approvals.of_change',
  'factors.remove': 'approvals.of_factor',
  'resets.password': 'approvals.of_password',
  'resets.factors': 'approvals.of_factors',
  'source.link': 'approvals.of_link',
  'operators.grant': 'approvals.of_grant',
  'transfer.export': 'approvals.of_export',
};

/** @returns undefined for an operation that is not known here */
export const findTitle = (operation: string): PhraseKey | undefined =>
  Object.hasOwn(OPERATION_TITLES, operation) ? OPERATION_TITLES[operation] : undefined;

/** What the effects assume: a second operator, and no check of who is calling (except for a factor reset after a check). */
const WITHOUT_CHECK: Requirements = { hasSecondOperator: true, check: 'none' };

/** Effects that advise the operator who approves. They are left out once the operation no longer waits. */
const ADVICE: readonly PhraseKey[] = ['action.factor_reset_check_effect', 'action.secret_link_effect'];

/** @param account null for an export */
export function listEffects(approval: Approval, account: AccountDetail | null): readonly PhraseKey[] {
  const effects = findEffects(approval, account);
  return approval.state === 'open' ? effects : effects.filter((effect) => !ADVICE.includes(effect));
}

function findEffects(approval: Approval, account: AccountDetail | null): readonly PhraseKey[] {
  const { operation, checked } = approval;
  if (operation === 'transfer.export') return ['approvals.export_effect'];
  if (account === null) return [];
  switch (operation) {
    case 'accounts.change':
      return ['approvals.change_effect', ...(replacesAddress(approval, account) ? (['change.email_hint'] as const) : [])];
    case 'factors.remove':
      return getAction('factor_remove').effects(account, WITHOUT_CHECK);
    case 'resets.password':
      return ['approvals.password_effect', 'action.secret_link_effect', 'action.newest_link_effect'];
    case 'resets.factors':
      return getAction('factor_reset').effects(account, checked ? { ...WITHOUT_CHECK, check: 'passed' } : WITHOUT_CHECK);
    case 'source.link':
      return ['approvals.link_effect'];
    case 'operators.grant':
      return ['operators.grant_effect'];
    default:
      return [];
  }
}

/** Whether the change certainly replaces an address. After an approval, the account no longer shows whether it had another one. */
function replacesAddress({ body, state }: Approval, { email }: AccountDetail): boolean {
  return state !== 'approved' && 'email' in body && email !== null && body['email'] !== email;
}

const MEMBERS: Readonly<Record<string, PhraseKey>> = {
  display_name: 'change.display_name',
  email: 'change.email',
  email_verified: 'change.email_verified',
  language: 'change.language',
  group_name: 'change.group',
  groups: 'change.further_groups',
  second_factor: 'change.second_factor',
  right: 'operators.right',
  ends_at: 'approvals.ends',
  source: 'facts.source',
  password_hashes: 'approvals.hashes',
  totp_secrets: 'approvals.seeds',
};

export interface ChangedMember {
  /** The name in the call, for a member without a phrase. */
  name: string;
  label: PhraseKey | undefined;
  /** The present value; absent if it is not shown. */
  before?: string;
  after: string | boolean;
}

/** @returns the members of the call, with the values (except yes and no) that an open change of an account would replace */
export function listMembers({ operation, body, state }: Approval, account: AccountDetail | null): ChangedMember[] {
  if (operation === 'factors.remove')
    return [
      {
        name: 'factor',
        label: 'approvals.factor',
        after: nameFactor(typeof body['factor'] === 'string' ? body['factor'] : '', account),
      },
    ];
  return Object.entries(body).map(([name, value]) => {
    const label = Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined;
    const hasBefore = operation === 'accounts.change' && state === 'open' && typeof value !== 'boolean';
    const before = hasBefore && account !== null ? findBefore(name, value, account) : undefined;
    const after = typeof value === 'boolean' ? value : toText(value);
    return { name, label, ...(before === undefined ? {} : { before: toText(before) }), after };
  });
}

/** @returns the present value of a member of the call; of the attributes, only those that the call changes */
function findBefore(name: string, value: unknown, account: AccountDetail): unknown {
  if (name !== 'attributes' || typeof value !== 'object' || value === null) return account[name as keyof AccountDetail];
  return Object.fromEntries(Object.entries(account.attributes).filter(([attribute]) => Object.hasOwn(value, attribute)));
}

/** @returns the name of a factor and the label of its kind, or only the label; the given id if the account does not have the factor */
export function nameFactor(factor: string, account: AccountDetail | null): string {
  const names = account?.factors.all.flatMap(({ name, label, entries }) =>
    entries
      .filter(({ id }) => (id ?? name) === factor)
      .map((entry) => (entry.name === null ? label : `${entry.name} (${label})`)),
  );
  return names?.[0] ?? factor;
}

const toText = (value: unknown): string => {
  if (value === null || value === '') return '–';
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(String).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/**
 * @returns null if the server refuses the decision of every token, with which commands call the API: a token does not withdraw what an
 *   operator requested, and approves only what a token requested (with `OPERATOR_APPROVAL=operators-and-tokens`)
 */
export function findCommand({ id, asked_by_account: asker }: Approval, decision: Decision): CommandLine | null {
  if (decision === 'withdraw' || (decision === 'approve' && asker !== null)) return null;
  return { words: ['approval', decision, id] };
}
