import { accountText } from '../account-text.js';
import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';

export const accountShow: Command = {
  name: 'account show',
  about: 'show an account',
  operands: ['id|username'],
  options: {},
  async run({ api, operands, print }) {
    const { id } = await findAccount(api, operands[0]);
    const account = await api.getAccount(id);
    print(account, () => accountText(account));
    return true;
  },
};
