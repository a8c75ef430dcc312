/** Lists and decides the sign-ups that wait for an operator. */
import type { SignUpAnswer } from '../../wire-sign-ups.js';
import { formatTime } from '../account-text.js';
import type { Command } from '../command.js';
import { REASON_OPTION } from '../reason-option.js';
import { sanitize } from '../shown-text.js';
import { formatTable, type Column } from '../table.js';

const COLUMNS: readonly Column<SignUpAnswer>[] = [
  { title: 'SINCE', value: ({ asked_at: time }) => formatTime(time), whole: true },
  { title: 'UNTIL', value: ({ expires_at: time }) => formatTime(time), whole: true },
  { title: 'ADDRESS', value: ({ email }) => email },
  { title: 'USERNAME', value: ({ username }) => username ?? '' },
  { title: 'NAME', value: ({ display_name: name }) => name ?? '' },
  {
    title: 'ENTERED',
    value: ({ attributes }) =>
      Object.entries(attributes)
        .map(([name, text]) => `${name}=${text}`)
        .join(', '),
  },
  { title: 'APP', value: ({ client_name: name }) => name },
  { title: 'ID', value: ({ id }) => id, whole: true },
];

export const signUpList: Command = {
  name: 'sign-up list',
  about: 'list people who signed up and wait for a decision, the longest wait first',
  operands: [],
  options: {
    limit: { value: '1-200', about: 'maximum number of people; default: 50' },
    cursor: { value: 'CURSOR', about: 'continue after the page that showed this cursor' },
  },
  async run({ api, options, terminal, print, warn }) {
    const page = await api.listSignUps({ limit: options.text('limit'), cursor: options.text('cursor') });
    const { sign_ups: signUps } = page;
    print(page, () => (signUps.length === 0 ? '' : formatTable(COLUMNS, signUps, terminal)));
    if (signUps.length === 0) warn('Nobody is waiting for a decision.');
    if (page.next_cursor !== undefined) warn(`More people: --cursor ${page.next_cursor}`);
    return true;
  },
};

export const signUpApprove: Command = {
  name: 'sign-up approve',
  about: 'create the account of a person who signed up',
  operands: ['sign-up'],
  options: {
    username: { value: 'NAME', about: 'username to use instead of the one that the person chose' },
    ...REASON_OPTION,
  },
  async run({ api, operands, options, print }) {
    const username = options.text('username');
    const account = await api.approveSignUp(operands[0] ?? '', username === undefined ? {} : { username });
    print(account, () => `${sanitize(account.username)} has an account now: ${account.id}\n`);
    return true;
  },
};

export const signUpRefuse: Command = {
  name: 'sign-up refuse',
  about: 'refuse a person who signed up, and delete what was entered',
  operands: ['sign-up'],
  options: {
    message: { value: 'TEXT', about: 'text for the person in the mail; the reason is not mailed' },
    ...REASON_OPTION,
  },
  async run({ api, operands, options, print }) {
    const message = options.text('message');
    const answer = await api.refuseSignUp(operands[0] ?? '', message === undefined ? {} : { message });
    print(answer, () => `The sign-up ${sanitize(answer.id)} was refused.\n`);
    return true;
  },
};
