/** Links accounts to user sources and providers, and shows and disconnects external accounts. */
import type { ProviderAnswer } from '../../wire.js';
import { buildAccountCommand } from '../account-command.js';
import { formatTime } from '../account-text.js';
import { sanitize } from '../shown-text.js';
import { formatTable, type Column } from '../table.js';
import { REASON_OPTION } from '../reason-option.js';

export const accountLink = buildAccountCommand({
  name: 'account link',
  about: 'link an account to a person of a user source or provider; removes its password',
  operands: ['source'],
  options: {
    subject: { value: 'ID', about: 'id of the person at the source or provider' },
    username: {
      value: 'NAME',
      about: 'name with which the person signs in at the source; instead of --subject, but not for providers',
    },
    ...REASON_OPTION,
  },
  async run({ id, username }, { api, operands, options, print }) {
    const person = { subject: options.text('subject'), username: options.text('username') };
    const answer = await api.link(id, { source: operands[1] ?? '', ...person });
    print(answer, () => `${username} is linked to ${sanitize(answer.source_subject)} of ${sanitize(answer.source)}.\n`);
  },
});

const NOBODY_CAN_SIGN_IN =
  'Nobody can sign in to the account now: create a link with foyer account password-reset, and hand it to the owner.';

export const accountUnlink = buildAccountCommand({
  name: 'account unlink',
  about: 'unlink an account from its user source or provider; the account stays',
  options: REASON_OPTION,
  async run({ id, username }, { api, print, warn }) {
    const answer = await api.unlink(id);
    print(answer, () => `${username} is no longer linked to ${sanitize(answer.source)}.\n`);
    if (!answer.can_sign_in) warn(NOBODY_CAN_SIGN_IN);
  },
});

const COLUMNS: readonly Column<ProviderAnswer>[] = [
  { title: 'PROVIDER', value: ({ provider }) => provider, whole: true },
  { title: 'CONNECTED', value: ({ connected_at: time }) => formatTime(time), whole: true },
  { title: 'LAST USED', value: ({ last_used_at: time }) => (time === null ? 'never' : formatTime(time)), whole: true },
  { title: 'NAME', value: ({ label }) => label ?? '' },
  { title: 'SUBJECT', value: ({ subject }) => subject },
];

export const accountProviders = buildAccountCommand({
  name: 'account providers',
  about: 'show the external accounts that are connected to an account',
  async run({ id, username }, { api, terminal, print }) {
    const answer = await api.listProviders(id);
    const emptyText = `No provider is connected to ${username}.\n`;
    print(answer, () => (answer.providers.length === 0 ? emptyText : formatTable(COLUMNS, answer.providers, terminal)));
  },
});

export const accountDisconnect = buildAccountCommand({
  name: 'account disconnect',
  about: 'disconnect a provider from an account, even if it is the last way to sign in',
  operands: ['provider'],
  options: REASON_OPTION,
  async run({ id, username }, { api, operands, print }) {
    const provider = operands[1] ?? '';
    print(await api.disconnectProvider(id, provider), () => `${sanitize(provider)} is no longer connected to ${username}.\n`);
  },
});
