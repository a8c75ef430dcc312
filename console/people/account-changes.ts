/** The form that changes an account, and the call and the command built from it. */
import type { AccountDetail, AccountPatch } from '../api/calls.js';

export interface AccountForm {
  displayName: string;
  email: string;
  isEmailVerified: boolean;
  language: string;
  group: string;
  /** One group on each line. */
  furtherGroups: string;
  secondFactor: 'default' | 'optional' | 'required';
}

export function toForm(account: AccountDetail): AccountForm {
  return {
    displayName: account.display_name,
    email: account.email ?? '',
    isEmailVerified: false,
    language: account.language ?? '',
    group: account.group_name ?? '',
    furtherGroups: account.groups.filter((name) => name !== account.group_name).join('\n'),
    secondFactor: account.second_factor ?? 'default',
  };
}

/**
 * @param originalForm the form as it was opened, because somebody else may change the account meanwhile
 * @returns the changed members, and the address whenever it is marked as verified; empty if nothing changes
 */
export function toPatch(originalForm: AccountForm, form: AccountForm): AccountPatch {
  const furtherGroups = toLines(form.furtherGroups);
  const email = form.email.trim();
  return {
    ...(form.displayName.trim() === originalForm.displayName ? {} : { display_name: toValue(form.displayName) }),
    ...(email === originalForm.email ? {} : { email: toValue(email) }),
    // A call that marks the address as verified has to contain the address, even an unchanged one.
    ...(form.isEmailVerified && email !== '' ? { email, email_verified: true } : {}),
    ...(form.language.trim() === originalForm.language ? {} : { language: toValue(form.language) }),
    ...(form.group.trim() === originalForm.group ? {} : { group_name: toValue(form.group) }),
    ...(isSame(furtherGroups, toLines(originalForm.furtherGroups)) ? {} : { groups: furtherGroups }),
    ...(form.secondFactor === originalForm.secondFactor
      ? {}
      : { second_factor: form.secondFactor === 'default' ? null : form.secondFactor }),
  };
}

/** The members that are one text, and the options of `foyer account update` for them. */
const TEXT_OPTIONS = [
  ['display_name', 'name'],
  ['email', 'email'],
  ['language', 'language'],
  ['group_name', 'group'],
] as const;

export function toCommandOptions(patch: AccountPatch): (readonly [string, string?])[] {
  const texts = TEXT_OPTIONS.flatMap(([member, option]) => {
    const value = patch[member];
    if (value === undefined) return [];
    return [value === null ? (['clear', option] as const) : ([option, value] as const)];
  });
  const groups = patch.groups?.map((group) => ['further-group', group] as const);
  return [
    ...texts,
    ...(patch.email_verified === true ? [['email-verified'] as const] : []),
    ...(groups?.length === 0 ? [['clear', 'further-group'] as const] : (groups ?? [])),
    ...(patch.second_factor === undefined ? [] : [['second-factor', patch.second_factor ?? 'default'] as const]),
  ];
}

const toValue = (text: string): string | null => (text.trim() === '' ? null : text.trim());

const toLines = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  ),
];

const isSame = (names: readonly string[], otherNames: readonly string[]): boolean =>
  names.length === otherNames.length && names.every((name, index) => name === otherNames[index]);
