/** Shows the terms of the installation, their texts, and what a person has accepted. */
import type { AcceptanceAnswer, TermsAnswer } from '../../wire-terms.js';
import { buildAccountCommand } from '../account-command.js';
import { formatTime } from '../account-text.js';
import type { Command } from '../command.js';
import { sanitize } from '../shown-text.js';
import { formatTable, type Column } from '../table.js';

const TERMS_COLUMNS: readonly Column<TermsAnswer>[] = [
  { title: 'ID', value: ({ id }) => id, whole: true },
  { title: 'VERSION', value: ({ version }) => version, whole: true },
  { title: 'FROM', value: ({ from }) => (from === null ? '' : formatTime(from)), whole: true },
  { title: 'POSTPONE UNTIL', value: ({ later_until: time }) => (time === null ? '' : formatTime(time)), whole: true },
  { title: 'APPS', value: ({ client_ids: clients }) => clients?.join(', ') ?? 'all' },
  { title: 'LANGUAGES', value: ({ texts }) => texts.map(({ language }) => language).join(', ') },
  { title: 'TITLE', value: ({ texts }) => texts[0]?.title ?? '' },
];

const ACCEPTANCE_COLUMNS: readonly Column<AcceptanceAnswer>[] = [
  { title: 'ACCEPTED', value: ({ accepted_at: time }) => formatTime(time), whole: true },
  { title: 'WITHDRAWN', value: ({ withdrawn_at: time }) => (time === null ? '' : formatTime(time)), whole: true },
  { title: 'TERMS', value: ({ terms }) => terms, whole: true },
  { title: 'VERSION', value: ({ version }) => version, whole: true },
  { title: 'APP', value: ({ client_id: client }) => client },
  { title: 'LANGUAGE', value: ({ language }) => language, whole: true },
  { title: 'SHA-256', value: ({ sha256 }) => sha256, whole: true },
];

export const termsList: Command = {
  name: 'terms list',
  about: 'list the terms that people accept at the sign-in (TERMS)',
  operands: [],
  options: {},
  async run({ api, terminal, print, warn }) {
    const answer = await api.listTerms();
    print(answer, () => (answer.terms.length === 0 ? '' : formatTable(TERMS_COLUMNS, answer.terms, terminal)));
    if (answer.terms.length === 0) warn('The installation has no terms.');
    return true;
  },
};

export const termsText: Command = {
  name: 'terms text',
  about: 'show the text of terms that has this hash',
  operands: ['sha-256'],
  options: {},
  async run({ api, operands, print }) {
    const answer = await api.getTermsText(operands[0] ?? '');
    print(answer, () => `${answer.text.trimEnd().split(/\r?\n/).map(sanitize).join('\n')}\n`);
    return true;
  },
};

export const accountTermsList = buildAccountCommand({
  name: 'account terms list',
  about: 'show the terms that a person has accepted, newest first',
  options: {
    limit: { value: '1-200', about: 'maximum number of acceptances; default: 50' },
    cursor: { value: 'CURSOR', about: 'continue after the page that showed this cursor' },
  },
  async run({ id }, { api, options, terminal, print, warn }) {
    const page = await api.listAcceptances(id, { limit: options.text('limit'), cursor: options.text('cursor') });
    const { acceptances } = page;
    print(page, () => (acceptances.length === 0 ? '' : formatTable(ACCEPTANCE_COLUMNS, acceptances, terminal)));
    if (acceptances.length === 0) warn('The person has accepted no terms.');
    if (page.next_cursor !== undefined) warn(`More acceptances: --cursor ${page.next_cursor}`);
  },
});
