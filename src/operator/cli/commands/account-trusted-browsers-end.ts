import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';

export const accountTrustedBrowsersEnd: Command = {
  name: 'account trusted-browsers end',
  about: 'ask a person for the second factor again in every browser',
  operands: ['id|username'],
  options: { browser: { value: 'ID', about: 'only in this one; `account trusted-browsers list` shows the ids' } },
  async run({ api, operands, options, print }) {
    const { id, username } = await findAccount(api, operands[0]);
    const browser = options.text('browser');
    const result = browser === undefined ? await api.endTrustedBrowsers(id) : await api.endTrustedBrowser(id, browser);
    print(result, () => `${username} is asked for the second factor again (browsers: ${result.ended}).\n`);
    return true;
  },
};
