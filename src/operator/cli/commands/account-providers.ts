import type { ProviderAnswer } from '../../wire.js';
import { timeText } from '../account-text.js';
import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';
import { shown } from '../shown-text.js';
import { table, type Column } from '../table.js';

const COLUMNS: readonly Column<ProviderAnswer>[] = [
  { title: 'PROVIDER', value: ({ provider }) => provider, whole: true },
  { title: 'CONNECTED', value: ({ connected_at: at }) => timeText(at), whole: true },
  { title: 'LAST USED', value: ({ last_used_at: at }) => (at === null ? 'never' : timeText(at)), whole: true },
  { title: 'CALLED', value: ({ label }) => label ?? '' },
  { title: 'SUBJECT', value: ({ subject }) => subject },
];

export const accountProviders: Command = {
  name: 'account providers',
  about: 'show which accounts of other providers are connected to an account',
  operands: ['id|username'],
  options: {},
  async run({ api, operands, terminal, print }) {
    const { id, username } = await findAccount(api, operands[0]);
    const answer = await api.providers(id);
    print(answer, () =>
      answer.providers.length === 0
        ? `No provider is connected to ${shown(username)}.\n`
        : table(COLUMNS, answer.providers, terminal),
    );
    return true;
  },
};
