/** Shows the user sources and providers, and what is wrong with them. */
import type { SourceStateAnswer } from '../../wire-installation.js';
import type { Command } from '../command.js';
import { formatTable, type Column } from '../table.js';

const COLUMNS: readonly Column<SourceStateAnswer>[] = [
  { title: 'ID', value: ({ id }) => id, whole: true },
  { title: 'TYPE', value: ({ type }) => type, whole: true },
  { title: 'STATE', value: ({ state }) => state, whole: true, mark: ({ state }) => (state === 'fault' ? 'bad' : undefined) },
  {
    title: 'FINDINGS',
    value: ({ findings }) => findings.map(({ what, fix }) => (fix === undefined ? what : `${what} ${fix}`)).join(' '),
  },
];

export const sourceList: Command = {
  name: 'source list',
  about: 'show whether each user source and provider can be used; exit code 1 if one cannot',
  operands: [],
  options: {},
  async run({ api, terminal, print, warn }) {
    const answer = await api.listSources();
    print(answer, () => (answer.sources.length === 0 ? '' : formatTable(COLUMNS, answer.sources, terminal)));
    if (answer.sources.length === 0) warn('No user source and no provider is configured.');
    return answer.sources.every(({ state }) => state !== 'fault');
  },
};
