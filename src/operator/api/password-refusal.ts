import type { PasswordFault } from '../../contract/manage-state.js';
import { OperatorFault } from './operator-fault.js';

const WORDS: Readonly<Record<PasswordFault, string>> = {
  empty: 'it is empty',
  'too-short': 'it is too short',
  'too-long': 'it is too long',
  characters: 'it contains control characters, or is not valid Unicode',
  'lower-missing': 'it has no lower-case letter',
  'upper-missing': 'it has no upper-case letter',
  'digit-missing': 'it has no digit',
  common: 'it is among the passwords that are guessed first',
  breached: 'it was found in a data breach',
  username: 'it is the username, or too close to it',
  'app-name': 'it is the name in APP_NAME, or too close to it',
};

/** @throws OperatorFault that names every fault */
export function requireGoodPassword(faults: readonly PasswordFault[]): void {
  if (faults.length === 0) return;
  const message = `The password is refused: ${faults.map((fault) => WORDS[fault]).join(', ')}.`;
  throw new OperatorFault(422, 'password_refused', message, {
    field: 'password',
    faults: faults.map((fault) => fault.replaceAll('-', '_')),
  });
}
