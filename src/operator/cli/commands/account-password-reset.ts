import { timeText } from '../account-text.js';
import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';

export const accountPasswordReset: Command = {
  name: 'account password-reset',
  about: 'create a password reset link for the owner; it works once, for a day',
  operands: ['id|username'],
  options: {},
  async run({ api, operands, print }) {
    const { id, username } = await findAccount(api, operands[0]);
    const link = await api.resetPassword(id);
    print(
      link,
      () => `With this link ${username} sets a new password, once, until ${timeText(link.expires_at)}:\n\n${link.url}\n`,
    );
    return true;
  },
};
