import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';

export const accountUnfreeze: Command = {
  name: 'account unfreeze',
  about: 'allow changes of credentials again after "that was not me"',
  operands: ['id|username'],
  options: {},
  async run({ api, operands, print }) {
    const { id } = await findAccount(api, operands[0]);
    const account = await api.unfreeze(id);
    print(account, () =>
      account.was_frozen
        ? `${account.username} may change password, username and factors again.\n`
        : `${account.username} was not frozen.\n`,
    );
    return true;
  },
};
