/**
 * Validates account values and converts them to columns, except for attributes and groups. An absent field leaves its column
 * unchanged.
 */
import type { AccountRow } from '../../database/schema.js';
import { checkEmail, checkFlag, checkLanguage, checkName, checkPicture, checkSecondFactor, toEmailKey } from './fields.js';
import type { AccountPatch, NewAccount } from './account.js';
import { foldText } from '../../contract/folded-text.js';
import { checkUsername } from './username.js';
import type { AttributeValues } from '../attributes/account-attributes.js';

type ChangeableColumn =
  | 'display_name'
  | 'email'
  | 'email_key'
  | 'email_verified'
  | 'picture'
  | 'language'
  | 'group_name'
  | 'second_factor';
type ChangedColumns = Partial<Pick<AccountRow, ChangeableColumn>>;
type NewColumns = ChangedColumns & Pick<AccountRow, 'display_name'> & UsernameColumns;

/** @throws AccountFieldInvalid */
export function toNewColumns(account: NewAccount): NewColumns {
  const { username, attributes: _, groups: __, subject: ___, ...rest } = account;
  const name = toUsernameColumns(username);
  const { display_name = name.username, ...otherColumns } = toPatchColumns(rest);
  return { ...name, display_name, ...otherColumns };
}

/** @throws AccountFieldInvalid */
export function toPatchColumns(patch: Omit<AccountPatch, 'username' | keyof AttributeValues>): ChangedColumns {
  return {
    ...(patch.displayName === undefined ? {} : { display_name: checkName('displayName', patch.displayName) }),
    ...(patch.email === undefined ? {} : toEmailColumns(patch.email)),
    ...(patch.emailVerified === undefined ? {} : { email_verified: checkFlag('emailVerified', patch.emailVerified) }),
    ...(patch.picture === undefined ? {} : { picture: patch.picture === null ? null : checkPicture(patch.picture) }),
    ...(patch.language === undefined ? {} : { language: patch.language === null ? null : checkLanguage(patch.language) }),
    ...(patch.groupName === undefined
      ? {}
      : { group_name: patch.groupName === null ? null : checkName('groupName', patch.groupName) }),
    ...(patch.secondFactor === undefined
      ? {}
      : { second_factor: patch.secondFactor === null ? null : checkSecondFactor(patch.secondFactor) }),
  };
}

export type UsernameColumns = Record<'username' | 'username_key' | 'looked_username', string>;

/**
 * The code that writes these columns stores the skeletons of the name in the same transaction (`AccountNames`).
 * @throws AccountFieldInvalid
 */
export function toUsernameColumns(input: string): UsernameColumns {
  const username = checkUsername(input);
  return { username, username_key: foldText(username), looked_username: username };
}

function toEmailColumns(input: string | null): ChangedColumns {
  if (input === null) return { email: null, email_key: null, email_verified: false };
  const email = checkEmail(input);
  return { email, email_key: toEmailKey(email), email_verified: false };
}
