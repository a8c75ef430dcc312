/** Where the person of an account comes from: a source or provider that it belongs to, and providers that are connected to it. */
import type { ProviderAnswer } from '../../wire.js';
import { accountCommand } from '../account-command.js';
import { timeText } from '../account-text.js';
import { shown } from '../shown-text.js';
import { table, type Column } from '../table.js';

const STATES = {
  active: 'is up to date with',
  disabled: 'is disabled, as it is at',
  gone: 'is disabled, because it is gone from',
} as const;

export const accountRefresh = accountCommand({
  name: 'account refresh',
  about: 'take over what changed at its source; disable it if the person left',
  async run({ id }, { api, print }) {
    const account = await api.refresh(id);
    print(account, () => `${shown(account.username)} ${STATES[account.source_state]} the source ${shown(account.source)}.\n`);
  },
});

export const accountLink = accountCommand({
  name: 'account link',
  about: 'let the account belong to a person of a source or provider; its password here goes',
  operands: ['source'],
  options: {
    subject: { value: 'ID', about: 'the id of the person there' },
    username: { value: 'NAME', about: 'what the person signs in with there; for sources, in place of --subject' },
  },
  async run({ id, username }, { api, operands, options, print }) {
    const person = { subject: options.text('subject'), username: options.text('username') };
    const answer = await api.link(id, { source: operands[1] ?? '', ...person });
    print(answer, () => `${username} belongs to ${shown(answer.source_subject)} of ${shown(answer.source)}.\n`);
  },
});

const NO_WAY_IN = 'Nobody can sign in to it now: hand out a link with `foyer account password-reset`.';

export const accountUnlink = accountCommand({
  name: 'account unlink',
  about: 'take the account from its source or provider; it is one of its own then',
  async run({ id, username }, { api, print, warn }) {
    const answer = await api.unlink(id);
    print(answer, () => `${username} does not belong to ${shown(answer.source)} any more.\n`);
    if (!answer.can_sign_in) warn(NO_WAY_IN);
  },
});

const COLUMNS: readonly Column<ProviderAnswer>[] = [
  { title: 'PROVIDER', value: ({ provider }) => provider, whole: true },
  { title: 'CONNECTED', value: ({ connected_at: at }) => timeText(at), whole: true },
  { title: 'LAST USED', value: ({ last_used_at: at }) => (at === null ? 'never' : timeText(at)), whole: true },
  { title: 'CALLED', value: ({ label }) => label ?? '' },
  { title: 'SUBJECT', value: ({ subject }) => subject },
];

export const accountProviders = accountCommand({
  name: 'account providers',
  about: 'show which accounts of other providers are connected to an account',
  async run({ id, username }, { api, terminal, print }) {
    const answer = await api.providers(id);
    const none = `No provider is connected to ${username}.\n`;
    print(answer, () => (answer.providers.length === 0 ? none : table(COLUMNS, answer.providers, terminal)));
  },
});

export const accountDisconnect = accountCommand({
  name: 'account disconnect',
  about: 'disconnect the account of a provider, even if it is the last way to sign in',
  operands: ['provider'],
  async run({ id, username }, { api, operands, print }) {
    const provider = operands[1] ?? '';
    print(await api.disconnect(id, provider), () => `${shown(provider)} is not connected to ${username} any more.\n`);
  },
});
