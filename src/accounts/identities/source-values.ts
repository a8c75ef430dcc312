/**
 * Converts the values of a person at a source or provider to values of an account, and decides which of them may be left out.
 */
import type { SourcePerson } from '../../sources/user-source.port.js';
import { AccountError, AttributeInvalid } from '../account/account.errors.js';
import { MAX_GROUPS, checkName } from '../account/fields.js';
import type { Account, AccountPatch, NewAccount } from '../account/account.js';
import type { AccountAttributes, AttributePatch } from '../attributes/account-attributes.js';
import { defined } from '../../config/defined.js';

export type Draft = Omit<NewAccount, 'username'>;

/** Fields that are left out if Foyer refuses the source's value: an invalid address must not prevent a sign-in. */
export const OPTIONAL_FIELDS = ['username', 'email', 'displayName', 'groupName', 'groups', 'attributes'] as const;

/** Whether the values still have the field. `emailVerified` alone counts as `email`: an unchanged address may become verified. */
export function hasField(field: (typeof OPTIONAL_FIELDS)[number], values: object): boolean {
  const members = new Map<string, unknown>(Object.entries(values));
  return members.get(field) !== undefined || (field === 'email' && members.get('emailVerified') !== undefined);
}

/**
 * Removes a field that was refused. The refused attribute becomes null first, then all attributes do, so that a role that the
 * source removed does not remain. If that is refused too, the attributes are left out.
 */
export function removeField(
  field: (typeof OPTIONAL_FIELDS)[number],
  values: object,
  error: AccountError,
): Record<string, unknown> {
  if (field === 'email') return { email: undefined, emailVerified: undefined };
  const attributes = 'attributes' in values && field === 'attributes' ? Object.entries(values.attributes ?? {}) : [];
  const names = attributes.flatMap(([name, value]) => (value === null ? [] : [name]));
  if (names.length === 0) return { [field]: undefined };
  const refusedName = names.find((name) => error instanceof AttributeInvalid && error.isAt(name));
  return {
    [field]: Object.fromEntries(attributes.map(([name, value]) => [name, refusedName && name !== refusedName ? value : null])),
  };
}

/** Omits values that are not requested from the source, so that they stay unchanged. */
export function toDraft(
  { displayName, email, emailVerified, groups, hasGroupName }: SourcePerson,
  attributes: AttributePatch,
): Draft {
  const [firstGroup, ...otherGroups] = groups?.filter(isGroup).slice(0, MAX_GROUPS) ?? [];
  return {
    ...defined({ displayName }),
    ...(email === undefined ? {} : { email, ...(emailVerified ? { emailVerified } : {}) }),
    ...(groups === undefined ? {} : { groups: firstGroup === undefined ? [] : [firstGroup, ...otherGroups] }),
    ...(hasGroupName && firstGroup !== undefined ? { groupName: firstGroup } : {}),
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
  };
}

/** Groups with an invalid name are skipped, so that the other groups can be written. */
function isGroup(name: string): boolean {
  try {
    return checkName('groups', name) !== '';
  } catch (error) {
    if (error instanceof AccountError) return false;
    throw error;
  }
}

/** Leaves out an unchanged address. If it were written again, it would count as a new address that is not verified. */
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

/**
 * Leaves out unchanged values, because the audit log names the values that have changed. If the account has a
 * `group_name` that the patch does not repeat, groups are always written, because `account.groups` contains that group too.
 */
export function removeUnchanged(account: Account, patch: AccountPatch, attributes: AccountAttributes): AccountPatch {
  const isSame: Partial<Record<keyof AccountPatch, boolean>> = {
    displayName: patch.displayName === account.displayName,
    groupName: patch.groupName === (account.groupName ?? null),
    groups:
      (account.groupName === undefined || patch.groupName === account.groupName) &&
      patch.groups?.length === account.groups.length &&
      patch.groups.every((group, index) => group === account.groups[index]),
    attributes: attributes.isUnchanged(account.attributes, patch.attributes ?? {}),
  };
  const members = Object.entries(patch).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members.filter(([name]) => isSame[name as keyof AccountPatch] !== true));
}
