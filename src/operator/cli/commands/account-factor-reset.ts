import { timeText } from '../account-text.js';
import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';

export const accountFactorReset: Command = {
  name: 'account factor-reset',
  about: 'create a link that removes all second factors; it works once, for two days',
  operands: ['id|username'],
  options: {},
  async run({ api, operands, print }) {
    const { id, username } = await findAccount(api, operands[0]);
    const link = await api.resetFactors(id);
    print(
      link,
      () => `With this link ${username} removes all second factors, once, until ${timeText(link.expires_at)}:\n\n${link.url}\n`,
    );
    return true;
  },
};
