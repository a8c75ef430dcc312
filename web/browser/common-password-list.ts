/**
 * The dictionary of common passwords as one text with an entry on each line. The pages contain only the text
 * (`web/build/common-password-list.ts`), not the packages from which the text is made.
 */
import { dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as german } from '@zxcvbn-ts/language-de';
import { toCommonPasswords } from '../../src/contract/common-passwords.js';

export default [...toCommonPasswords({ common, german })].sort().join('\n');
