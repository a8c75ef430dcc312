/** Shows the settings of the running gateway, and where each comes from. */
import type { SettingAnswer } from '../../wire-installation.js';
import type { Command } from '../command.js';
import { formatTable, type Column } from '../table.js';

const COLUMNS: readonly Column<SettingAnswer>[] = [
  { title: 'SETTING', value: ({ name }) => name, whole: true },
  { title: 'FROM', value: ({ origin }) => origin, whole: true },
  { title: 'VALUE', value: (setting) => formatValue(setting) },
];

function formatValue({ origin, secret, value, file, default: fallback }: SettingAnswer): string {
  if (origin === 'default') return secret ? 'not set' : (fallback ?? '');
  return value ?? file ?? 'set';
}

export const settings: Command = {
  name: 'settings',
  about: 'show the settings of the running gateway, and where each comes from',
  operands: [],
  options: { all: { about: 'also show the settings that have their default value' } },
  async run({ api, options, terminal, print }) {
    const answer = await api.listSettings();
    const rows = options.has('all') ? answer.settings : answer.settings.filter(({ origin }) => origin !== 'default');
    print({ settings: rows }, () => (rows.length === 0 ? '' : formatTable(COLUMNS, rows, terminal)));
    return true;
  },
};
