/**
 * Shows an account, or one page of accounts. The cursor of the next page goes to standard error, so that without --json standard
 * output contains only accounts.
 */
import type { AccountAnswer } from '../../wire.js';
import { buildAccountCommand } from '../account-command.js';
import { formatAccount } from '../account-text.js';
import type { Command } from '../command.js';
import { formatTable, type Column } from '../table.js';

const COLUMNS: readonly Column<AccountAnswer>[] = [
  { title: 'USERNAME', value: ({ username }) => username },
  { title: 'NAME', value: ({ display_name }) => display_name },
  { title: 'E-MAIL', value: ({ email }) => email ?? '' },
  { title: 'GROUPS', value: ({ groups }) => groups.join(', ') },
  {
    title: 'STATUS',
    value: ({ status }) => status,
    whole: true,
    mark: ({ status }) => (status === 'disabled' ? 'bad' : undefined),
  },
  { title: 'ID', value: ({ id }) => id, whole: true },
];

/** Maximum number of acceptances that `account show` lists. `account terms list` lists all of them. */
const ACCEPTANCE_LIMIT = '10';

export const accountShow = buildAccountCommand({
  name: 'account show',
  about: 'show an account, its factors, tasks and accepted terms',
  async run({ id }, { api, print }) {
    const [account, { acceptances }] = await Promise.all([
      api.getAccount(id),
      api.listAcceptances(id, { limit: ACCEPTANCE_LIMIT }),
    ]);
    print({ ...account, accepted_terms: acceptances }, () => formatAccount(account, acceptances));
  },
});

export const accountList: Command = {
  name: 'account list',
  about: 'list or search accounts; by default, oldest first',
  operands: [],
  options: {
    username: { value: 'NAME', about: 'only the account with this username, ignoring case' },
    email: { value: 'ADDRESS', about: 'only accounts with this e-mail address' },
    search: {
      value: 'WORDS',
      about: 'only accounts whose username, display name or e-mail address has words that begin with these',
    },
    status: { value: 'WORD', about: 'only accounts with this status: active or disabled' },
    group: { value: 'NAME', about: 'only accounts in this group' },
    source: {
      value: 'SOURCE',
      about: 'only accounts of this user source (scim:ID for a SCIM source), or of the provider with this issuer',
    },
    local: { about: 'only accounts that do not belong to a user source or provider' },
    'signed-in-since': {
      value: 'TIME',
      about: 'only accounts whose last sign-in was at this date or time, or later; the latest sign-in comes first',
    },
    'signed-in-before': {
      value: 'TIME',
      about: 'only accounts whose last sign-in was before this date or time; the latest sign-in comes first',
    },
    'never-signed-in': { about: 'only accounts that have never signed in' },
    limit: { value: 'NUMBER', about: 'maximum number of accounts, up to 200; default: 50' },
    cursor: { value: 'CURSOR', about: 'continue after the page that showed this cursor' },
  },
  async run({ api, options, terminal, print, warn }) {
    const page = await api.listAccounts({
      username: options.text('username'),
      email: options.text('email'),
      search: options.text('search'),
      status: options.text('status'),
      group: options.text('group'),
      source: options.text('source'),
      local: options.has('local') ? 'true' : undefined,
      signed_in_since: options.text('signed-in-since'),
      signed_in_before: options.text('signed-in-before'),
      never_signed_in: options.has('never-signed-in') ? 'true' : undefined,
      limit: options.text('limit'),
      cursor: options.text('cursor'),
    });
    print(page, () => (page.accounts.length === 0 ? '' : formatTable(COLUMNS, page.accounts, terminal)));
    if (page.accounts.length === 0) warn('No account was found.');
    if (page.next_cursor !== undefined) warn(`More accounts: --cursor ${page.next_cursor}`);
    return true;
  },
};
