import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';

export const accountUnlock: Command = {
  name: 'account unlock',
  about: 'unlock an account: reset its count of failed passwords',
  operands: ['id|username'],
  options: {},
  async run({ api, operands, print }) {
    const { id } = await findAccount(api, operands[0]);
    const account = await api.unlock(id);
    print(account, () =>
      account.was_locked
        ? `${account.username} is not held up by wrong passwords any more.\n`
        : `${account.username} was not locked.\n`,
    );
    return true;
  },
};
