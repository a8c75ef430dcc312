/** Removes single second factors and passkeys. */
import { buildAccountCommand } from '../account-command.js';
import { REASON_OPTION } from '../reason-option.js';

export const accountFactorRemove = buildAccountCommand({
  name: 'account factor-remove',
  about: 'remove one of the second factors and passkeys, by its id or kind (account show)',
  operands: ['factor'],
  options: REASON_OPTION,
  async run({ id, username }, { api, operands, print }) {
    const answer = await api.removeFactor(id, operands[1] ?? '');
    print(answer, () => `One factor of ${username} was removed.\n`);
  },
});
