import type { SessionAnswer } from '../../wire-sessions.js';
import { timeText } from '../account-text.js';
import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';
import { table, type Column } from '../table.js';

const KINDS: Readonly<Record<SessionAnswer['kind'], string>> = { sign_in: 'sign-in', account_area: 'account area' };

const COLUMNS: readonly Column<SessionAnswer>[] = [
  { title: 'KIND', value: ({ kind }) => KINDS[kind], whole: true },
  { title: 'BEGAN', value: ({ began_at }) => timeText(began_at), whole: true },
  { title: 'SEEN', value: ({ seen_at }) => (seen_at === null ? '' : timeText(seen_at)), whole: true },
  { title: 'ENDS', value: ({ expires_at }) => timeText(expires_at), whole: true },
  { title: 'PROVEN BY', value: ({ amr }) => amr.join(',') },
  { title: 'APP', value: ({ client_id }) => client_id ?? '' },
  { title: 'BROWSER', value: ({ browser }) => browser ?? '' },
  { title: 'ADDRESS', value: ({ address }) => address ?? '' },
  { title: 'ID', value: ({ id }) => id, whole: true },
];

export const accountSessionsList: Command = {
  name: 'account sessions list',
  about: 'show the sessions of a person, newest first',
  operands: ['id|username'],
  options: {},
  async run({ api, operands, terminal, print, warn }) {
    const { id } = await findAccount(api, operands[0]);
    const answer = await api.listSessions(id);
    print(answer, () => (answer.sessions.length === 0 ? '' : table(COLUMNS, answer.sessions, terminal)));
    if (answer.sessions.length === 0) warn('There is no session.');
    return true;
  },
};
