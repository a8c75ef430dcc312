import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';
import { shown } from '../shown-text.js';

export const accountDisconnect: Command = {
  name: 'account disconnect',
  about: 'disconnect the account of a provider, even if it is the last way to sign in',
  operands: ['id|username', 'provider'],
  options: {},
  async run({ api, operands, print }) {
    const { id, username } = await findAccount(api, operands[0]);
    const provider = operands[1] ?? '';
    const answer = await api.disconnect(id, provider);
    print(answer, () => `${shown(provider)} is not connected to ${shown(username)} any more.\n`);
    return true;
  },
};
