/** What a source or a provider says of a person, as values of an account, and what of it can be left out. */
import type { SourcePerson } from '../../sources/user-source.port.js';
import { AccountError, AttributeInvalid } from '../account/account.errors.js';
import { MOST_GROUPS, checkName } from '../account/fields.js';
import type { Account, AccountPatch, NewAccount } from '../account/account.js';
import type { AccountAttributes, AttributePatch } from '../attributes/account-attributes.js';
import { defined } from '../../config/defined.js';

export type Draft = Omit<NewAccount, 'username'>;

/** What is left out where the source's value cannot be one here: nobody is kept out by an address, or by another username. */
export const OPTIONAL = ['username', 'email', 'displayName', 'groupName', 'groups', 'attributes'] as const;

/** What is left out already is not left out again; an address that stays as it is may still count as verified from now on. */
export function isGiven(field: (typeof OPTIONAL)[number], values: object): boolean {
  const given = new Map<string, unknown>(Object.entries(values));
  return given.get(field) !== undefined || (field === 'email' && given.get('emailVerified') !== undefined);
}

/**
 * An attribute that cannot be taken over goes, then all go, unless that is refused too: a role that the source took away must
 * not stay.
 */
export function withoutField(field: (typeof OPTIONAL)[number], values: object, error: AccountError): Record<string, unknown> {
  if (field === 'email') return { email: undefined, emailVerified: undefined };
  const attributes = 'attributes' in values && field === 'attributes' ? Object.entries(values.attributes ?? {}) : [];
  const given = attributes.flatMap(([name, value]) => (value === null ? [] : [name]));
  if (given.length === 0) return { [field]: undefined };
  const one = given.find((name) => error instanceof AttributeInvalid && error.isAt(name));
  return { [field]: Object.fromEntries(attributes.map(([name, value]) => [name, one && name !== one ? value : null])) };
}

/** What the source is not asked for stays as it is. */
export function toDraft(
  { displayName, email, emailVerified, groups, hasGroupName }: SourcePerson,
  attributes: AttributePatch,
): Draft {
  const [first, ...others] = groups?.filter(isGroup).slice(0, MOST_GROUPS) ?? [];
  return {
    ...defined({ displayName }),
    ...(email === undefined ? {} : { email, ...(emailVerified ? { emailVerified } : {}) }),
    ...(groups === undefined ? {} : { groups: first === undefined ? [] : [first, ...others] }),
    ...(hasGroupName && first !== undefined ? { groupName: first } : {}),
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
  };
}

/** One name that cannot be a group's must not keep the others as they were. */
function isGroup(name: string): boolean {
  try {
    return checkName('groups', name) !== '';
  } catch (error) {
    if (error instanceof AccountError) return false;
    throw error;
  }
}

/** An address that is written anew would count as a new one: not verified, and told to the old one. */
export function findChanges(
  account: Account,
  { hasGroupName }: SourcePerson,
  { email, emailVerified, ...draft }: Draft,
): Omit<AccountPatch, 'username'> {
  const isSame = email === undefined || email === account.email;
  return {
    ...(hasGroupName ? { groupName: null } : {}),
    ...draft,
    ...(isSame ? {} : { email }),
    ...(emailVerified === true && !(isSame && account.emailVerified) ? { emailVerified } : {}),
  };
}

/** The audit log names what has changed. Groups of a person whom an operator put into a `group_name` are written as they are. */
export function withoutSame(account: Account, patch: AccountPatch, attributes: AccountAttributes): AccountPatch {
  const isSame: Partial<Record<keyof AccountPatch, boolean>> = {
    displayName: patch.displayName === account.displayName,
    groupName: patch.groupName === (account.groupName ?? null),
    groups:
      (account.groupName === undefined || patch.groupName === account.groupName) &&
      patch.groups?.length === account.groups.length &&
      patch.groups.every((group, index) => group === account.groups[index]),
    attributes: attributes.has(account.attributes, patch.attributes ?? {}),
  };
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.filter(([name]) => isSame[name as keyof AccountPatch] !== true));
}
