/** One page of accounts; what comes after it is said beside the result, so that the result stays clean for other programs. */
import type { AccountAnswer } from '../../wire.js';
import type { Command } from '../command.js';
import { table } from '../table.js';
import type { Column } from '../table.js';

const COLUMNS: readonly Column<AccountAnswer>[] = [
  { title: 'USERNAME', value: ({ username }) => username },
  { title: 'NAME', value: ({ display_name }) => display_name },
  { title: 'E-MAIL', value: ({ email }) => email ?? '' },
  { title: 'GROUP', value: ({ group_name }) => group_name ?? '' },
  {
    title: 'STATUS',
    value: ({ status }) => status,
    whole: true,
    mark: ({ status }) => (status === 'disabled' ? 'bad' : undefined),
  },
  { title: 'ID', value: ({ id }) => id, whole: true },
];

export const accountList: Command = {
  name: 'account list',
  about: 'list accounts, the oldest first',
  operands: [],
  options: {
    username: { value: 'NAME', about: 'only the account with this username, in any spelling of it' },
    email: { value: 'ADDRESS', about: 'only accounts with this e-mail address' },
    limit: { value: 'NUMBER', about: 'how many at most, up to 200; 50 when left out' },
    cursor: { value: 'CURSOR', about: 'go on where the list before stopped' },
  },
  async run({ api, options, terminal, print, warn }) {
    const page = await api.listAccounts({
      username: options.text('username'),
      email: options.text('email'),
      limit: options.text('limit'),
      cursor: options.text('cursor'),
    });
    print(page, () => (page.accounts.length === 0 ? '' : table(COLUMNS, page.accounts, terminal)));
    if (page.accounts.length === 0) warn('There is no such account.');
    if (page.next_cursor !== undefined) warn(`There are more: --cursor ${page.next_cursor}`);
    return true;
  },
};
