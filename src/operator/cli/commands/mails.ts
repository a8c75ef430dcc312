/** Lists the mails that did not arrive, and retries them. */
import type { MailAnswer, MailCauseAnswer } from '../../wire-mails.js';
import { formatTime } from '../account-text.js';
import type { Command } from '../command.js';
import type { OperatorClient } from '../operator-client.js';
import { REASON_OPTION } from '../reason-option.js';
import { sanitize } from '../shown-text.js';
import { formatTable, type Column } from '../table.js';

const COLUMNS: readonly Column<MailAnswer>[] = [
  { title: 'MAIL', value: ({ id }) => id, whole: true },
  { title: 'QUEUED', value: ({ queued_at: time }) => formatTime(time), whole: true },
  { title: 'KIND', value: ({ kind }) => kind },
  { title: 'RECIPIENT', value: ({ recipient }) => recipient },
  { title: 'ACCOUNT', value: ({ username, account_id: id }) => username ?? id ?? '' },
  {
    title: 'STATE',
    value: ({ state, expired }) => (expired ? 'expired' : state),
    whole: true,
    mark: ({ state }) => (state === 'abandoned' ? 'bad' : undefined),
  },
  { title: 'TRIES', value: ({ tries }) => String(tries), whole: true },
  { title: 'NEXT TRY', value: ({ next_try_at: time }) => (time === null ? '' : formatTime(time)), whole: true },
  { title: 'CAUSE', value: ({ cause }) => cause, whole: true },
  { title: 'CODE', value: ({ code }) => code ?? '' },
];

export const mailList: Command = {
  name: 'mail list',
  about: 'show the mails that did not arrive, newest first',
  operands: [],
  options: {
    cause: { value: 'CAUSE', about: 'only mails whose last try failed for this cause, such as refused' },
    state: { value: 'WORD', about: 'only mails in this state: waiting or abandoned' },
    limit: { value: '1-200', about: 'maximum number of mails; default: 50' },
    cursor: { value: 'CURSOR', about: 'continue after the page that showed this cursor' },
  },
  async run({ api, options, terminal, print, warn }) {
    const page = await api.listMails({
      cause: options.text('cause'),
      state: options.text('state'),
      limit: options.text('limit'),
      cursor: options.text('cursor'),
    });
    print(page, () => (page.mails.length === 0 ? '' : formatTable(COLUMNS, page.mails, terminal)));
    if (page.mails.length === 0) warn('No mail was found. Mails that arrived are not listed.');
    if (page.next_cursor !== undefined) warn(`More mails: --cursor ${page.next_cursor}`);
    return true;
  },
};

export const mailRetry: Command = {
  name: 'mail retry',
  about: 'try again to send a mail that did not arrive',
  operands: ['mail'],
  options: REASON_OPTION,
  async run({ api, operands, print }) {
    const mail = await api.retryMail(operands[0] ?? '');
    const sentence = mail.retried ? 'is tried again now' : 'is already due';
    print(mail, () => `Mail ${sanitize(mail.id)} to ${sanitize(mail.recipient)} ${sentence}.\n`);
    return true;
  },
};

export const mailRetryAll: Command = {
  name: 'mail retry-all',
  about: 'retry the mails that failed for this cause, except expired and outdated links',
  operands: ['cause'],
  options: { 'dry-run': { about: 'only count the mails' }, ...REASON_OPTION },
  async run({ api, operands, options, print, warn }) {
    const cause = operands[0] ?? '';
    if (options.has('dry-run')) {
      const { causes } = await api.listMailCauses();
      const mailCause = causes.find((item) => item.cause === cause) ?? (await countNone(api, cause));
      print(
        mailCause,
        () => `Would be tried again: ${formatCount(mailCause.retryable)}. Not delivered: ${formatCount(mailCause.count)}.\n`,
      );
      return true;
    }
    let retriedCount = 0;
    for (let hasMore = true; hasMore;) {
      const answer = await api.retryMails(cause);
      retriedCount += answer.retried;
      hasMore = answer.more;
    }
    print(
      { retried: retriedCount },
      () => `${retriedCount === 1 ? '1 mail is' : `${retriedCount} mails are`} tried again now.\n`,
    );
    if (retriedCount === 0) warn('There is no mail with this cause that can be tried again.');
    return true;
  },
};

/** The answer has no causes without mails, so the list of mails tells whether the cause exists. @throws CliFailure */
async function countNone(api: OperatorClient, cause: string): Promise<Omit<MailCauseAnswer, 'cause'>> {
  await api.listMails({ cause, limit: '1' });
  return { count: 0, retryable: 0 };
}

const formatCount = (count: number): string =>
  count > 1000 ? 'more than 1000 mails' : count === 1 ? '1 mail' : `${count} mails`;
