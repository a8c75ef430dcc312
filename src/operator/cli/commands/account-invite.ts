import { timeText } from '../account-text.js';
import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';

export const accountInvite: Command = {
  name: 'account invite',
  about: 'send a link to choose a first password to the e-mail address of an account',
  operands: ['id|username'],
  options: {},
  async run({ api, operands, print }) {
    const { id } = await findAccount(api, operands[0]);
    const mailed = await api.invite(id);
    print(
      mailed,
      () => `An invitation is on its way to ${mailed.mailed_to}. It works once, until ${timeText(mailed.expires_at)}.\n`,
    );
    return true;
  },
};
