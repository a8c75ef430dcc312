import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';

export const accountEnable: Command = {
  name: 'account enable',
  about: 'enable a disabled account',
  operands: ['id|username'],
  options: {},
  async run({ api, operands, print }) {
    const { id } = await findAccount(api, operands[0]);
    const account = await api.enable(id);
    print(account, () => `${account.username} is active.\n`);
    return true;
  },
};
