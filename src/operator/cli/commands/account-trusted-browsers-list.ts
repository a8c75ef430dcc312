import type { TrustedBrowserAnswer } from '../../wire-sessions.js';
import { timeText } from '../account-text.js';
import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';
import { table, type Column } from '../table.js';

const COLUMNS: readonly Column<TrustedBrowserAnswer>[] = [
  { title: 'SINCE', value: ({ created_at }) => timeText(created_at), whole: true },
  { title: 'USED', value: ({ last_used_at }) => timeText(last_used_at), whole: true },
  { title: 'ENDS', value: ({ expires_at }) => timeText(expires_at), whole: true },
  { title: 'BROWSER', value: ({ browser }) => browser ?? '' },
  { title: 'ID', value: ({ id }) => id, whole: true },
];

export const accountTrustedBrowsersList: Command = {
  name: 'account trusted-browsers list',
  about: 'show the browsers that ask a person for no second factor',
  operands: ['id|username'],
  options: {},
  async run({ api, operands, terminal, print, warn }) {
    const { id } = await findAccount(api, operands[0]);
    const answer = await api.listTrustedBrowsers(id);
    const browsers = answer.trusted_browsers;
    print(answer, () => (browsers.length === 0 ? '' : table(COLUMNS, browsers, terminal)));
    if (browsers.length === 0) warn('There is no trusted browser.');
    return true;
  },
};
