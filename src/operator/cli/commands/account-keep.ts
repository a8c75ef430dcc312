import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';
import { shown } from '../shown-text.js';

export const accountKeep: Command = {
  name: 'account keep',
  about: 'keep an account that is about to be deleted',
  operands: ['id|username'],
  options: {},
  async run({ api, operands, print }) {
    const { id } = await findAccount(api, operands[0]);
    const account = await api.keepAccount(id);
    const name = shown(account.username);
    print(account, () => (account.was_due ? `${name} will not be deleted.\n` : `${name} was not about to be deleted.\n`));
    return true;
  },
};
