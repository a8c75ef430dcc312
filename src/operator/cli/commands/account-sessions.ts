/** Lists and ends the sessions and the trusted browsers of a person. */
import type { SessionAnswer, TrustedBrowserAnswer } from '../../wire-sessions.js';
import { buildAccountCommand } from '../account-command.js';
import { formatTime } from '../account-text.js';
import { formatTable, type Column } from '../table.js';
import { REASON_OPTION } from '../reason-option.js';

const KINDS: Readonly<Record<SessionAnswer['kind'], string>> = { sign_in: 'sign-in', account_area: 'account area' };

const SESSION_COLUMNS: readonly Column<SessionAnswer>[] = [
  { title: 'KIND', value: ({ kind }) => KINDS[kind], whole: true },
  { title: 'BEGAN', value: ({ began_at }) => formatTime(began_at), whole: true },
  { title: 'LAST USED', value: ({ seen_at }) => (seen_at === null ? '' : formatTime(seen_at)), whole: true },
  { title: 'ENDS', value: ({ expires_at }) => formatTime(expires_at), whole: true },
  { title: 'PROVEN BY', value: ({ amr }) => amr.join(',') },
  { title: 'APP', value: ({ client_id }) => client_id ?? '' },
  { title: 'BROWSER', value: ({ browser }) => browser ?? '' },
  { title: 'ADDRESS', value: ({ address }) => address ?? '' },
  { title: 'ID', value: ({ id }) => id, whole: true },
];

const BROWSER_COLUMNS: readonly Column<TrustedBrowserAnswer>[] = [
  { title: 'SINCE', value: ({ created_at }) => formatTime(created_at), whole: true },
  { title: 'LAST USED', value: ({ last_used_at }) => formatTime(last_used_at), whole: true },
  { title: 'ENDS', value: ({ expires_at }) => formatTime(expires_at), whole: true },
  { title: 'BROWSER', value: ({ browser }) => browser ?? '' },
  { title: 'ID', value: ({ id }) => id, whole: true },
];

export const accountSessionsList = buildAccountCommand({
  name: 'account sessions list',
  about: 'show the sessions of a person, newest first',
  async run({ id }, { api, terminal, print, warn }) {
    const answer = await api.listSessions(id);
    print(answer, () => (answer.sessions.length === 0 ? '' : formatTable(SESSION_COLUMNS, answer.sessions, terminal)));
    if (answer.sessions.length === 0) warn('The person has no sessions.');
  },
});

export const accountSessionsEnd = buildAccountCommand({
  name: 'account sessions end',
  about: 'end all sessions of a person, or one session',
  options: { session: { value: 'ID', about: 'end only this session; account sessions list shows the ids' }, ...REASON_OPTION },
  async run({ id, username }, { api, options, print }) {
    const session = options.text('session');
    const result = session === undefined ? await api.endSessions(id) : await api.endSession(id, session);
    const sentence = session === undefined ? `All sessions of ${username} have ended` : `The session of ${username} has ended`;
    print(result, () => `${sentence} (sessions ended: ${result.ended}).\n`);
  },
});

export const accountTrustedBrowsersList = buildAccountCommand({
  name: 'account trusted-browsers list',
  about: 'show the browsers in which a person is not asked for a second factor',
  async run({ id }, { api, terminal, print, warn }) {
    const answer = await api.listTrustedBrowsers(id);
    const browsers = answer.trusted_browsers;
    print(answer, () => (browsers.length === 0 ? '' : formatTable(BROWSER_COLUMNS, browsers, terminal)));
    if (browsers.length === 0) warn('The person has no trusted browsers.');
  },
});

export const accountTrustedBrowsersEnd = buildAccountCommand({
  name: 'account trusted-browsers end',
  about: 'end the trust in one or all browsers, which then require the second factor again',
  options: {
    browser: { value: 'ID', about: 'end the trust in this browser only; account trusted-browsers list shows the ids' },
    ...REASON_OPTION,
  },
  async run({ id, username }, { api, options, print }) {
    const browser = options.text('browser');
    const result = browser === undefined ? await api.endTrustedBrowsers(id) : await api.endTrustedBrowser(id, browser);
    print(result, () => `${username} will be asked for the second factor again (browsers: ${result.ended}).\n`);
  },
});
