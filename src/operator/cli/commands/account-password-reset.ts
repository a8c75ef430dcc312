import { timeText } from '../account-text.js';
import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';

export const accountPasswordReset: Command = {
  name: 'account password-reset',
  about: 'create a password reset link for the owner; it works once, for a day',
  operands: ['id|username'],
  options: { mail: { about: 'send the link to the e-mail address of the account, and do not show it' } },
  async run({ api, operands, options, print }) {
    const { id, username } = await findAccount(api, operands[0]);
    if (options.has('mail')) {
      const mailed = await api.mailPasswordReset(id);
      print(mailed, () => `A link is on its way to ${mailed.mailed_to}. It works once, until ${timeText(mailed.expires_at)}.\n`);
      return true;
    }
    const link = await api.resetPassword(id);
    print(
      link,
      () => `With this link ${username} sets a new password, once, until ${timeText(link.expires_at)}:\n\n${link.url}\n`,
    );
    return true;
  },
};
