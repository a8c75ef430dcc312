/** Shows what may need attention today. */
import type { TodayKind, TodayRowAnswer } from '../../wire-today.js';
import { formatTime } from '../account-text.js';
import type { Command } from '../command.js';
import { formatTable, type Column } from '../table.js';

const WORDS: Readonly<Record<TodayKind, string>> = {
  health: 'parts that do not answer, or clocks that do not agree',
  sources: 'user sources and providers that cannot be used',
  sinks: 'event sinks that fail, are paused, have given up on events, or are no longer configured',
  'scim-refused': 'requests of SCIM sources that were refused',
  approvals: 'operations that wait for a second operator',
  'sign-ups': 'people who signed up and wait for a decision',
  'wrong-passwords': 'wrong passwords in the last hour, more than twice as many as in the same hour a day before',
  'accounts-frozen': 'accounts whose credentials are frozen after "That was not me"',
  'mails-abandoned': 'mails that were given up',
  'mails-waiting': 'mails that wait after a failed try',
  'admins-ending': 'operators whose right "admin" ends within 14 days',
  'tokens-used': 'changes that were made with a token in the last 7 days',
};

/** The command that shows the items that a row counts, perhaps among others, or that leads to them. */
const COMMANDS: Readonly<Record<TodayKind, (row: TodayRowAnswer) => string>> = {
  health: () => 'foyer health',
  sources: () => 'foyer source list',
  sinks: () => 'foyer events sinks',
  'scim-refused': () => 'foyer source list',
  approvals: () => 'foyer approval list',
  'sign-ups': () => 'foyer sign-up list',
  'wrong-passwords': ({ since }) => `foyer audit --kind password.refused --since ${since}`,
  'accounts-frozen': ({ since }) => `foyer audit --kind account.secured --since ${since}`,
  'mails-abandoned': () => 'foyer mail list --state abandoned',
  'mails-waiting': () => 'foyer mail list --state waiting',
  'admins-ending': () => 'foyer operator list',
  'tokens-used': ({ since }) => `foyer audit --actor operator --since ${since}`,
};

const COLUMNS: readonly Column<TodayRowAnswer>[] = [
  { title: 'COUNT', value: ({ count }) => (count > 1000 ? '>1000' : String(count)), whole: true },
  // A newer server may send further kinds.
  { title: 'WHAT', value: ({ kind }) => (Object.hasOwn(WORDS, kind) ? WORDS[kind] : kind) },
  { title: 'NAMES', value: ({ names }) => names.join(', ') },
  { title: 'SINCE', value: ({ since }) => (since === null ? '' : formatTime(since)), whole: true },
  { title: 'COMMAND', value: (row) => (Object.hasOwn(COMMANDS, row.kind) ? COMMANDS[row.kind](row) : ''), whole: true },
];

export const today: Command = {
  name: 'today',
  about: 'show what may need attention, such as mails that did not arrive',
  operands: [],
  options: {},
  async run({ api, terminal, print, warn }) {
    const answer = await api.getToday();
    print(answer, () => (answer.rows.length === 0 ? '' : formatTable(COLUMNS, answer.rows, terminal)));
    if (answer.rows.length === 0) warn('Nothing needs attention.');
    return true;
  },
};
