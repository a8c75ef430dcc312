/**
 * The dictionary of common passwords as one text with an entry on each line. Built pages hold only the text (see
 * `web/build/common-password-list.ts`), not the packages that it comes from.
 */
import { dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as german } from '@zxcvbn-ts/language-de';
import { findCommonPasswords } from '../../src/contract/common-passwords.js';

export default [...findCommonPasswords({ common, german })].sort().join('\n');
