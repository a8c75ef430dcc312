/** Lists, saves and removes list filters. A filter belongs to the token that saved it. */
import { buildUsageFailure } from '../cli-failure.js';
import { formatTime } from '../account-text.js';
import type { Command } from '../command.js';
import { sanitize } from '../shown-text.js';
import { formatTable, type Column } from '../table.js';
import type { SavedFilterAnswer } from '../../wire-filters.js';

const COLUMNS: readonly Column<SavedFilterAnswer>[] = [
  { title: 'NAME', value: ({ name }) => name },
  { title: 'LIST', value: ({ page }) => page, whole: true },
  { title: 'FILTER', value: ({ filter }) => new URLSearchParams(filter).toString() },
  { title: 'SAVED', value: ({ saved_at: time }) => formatTime(time), whole: true },
  { title: 'ID', value: ({ id }) => id, whole: true },
];

export const filterList: Command = {
  name: 'filter list',
  about: 'show the filters that this token has saved',
  operands: [],
  options: {},
  async run({ api, terminal, print, warn }) {
    const list = await api.listFilters();
    print(list, () => (list.filters.length === 0 ? '' : formatTable(COLUMNS, list.filters, terminal)));
    if (list.filters.length === 0) warn('No filter is saved.');
    return true;
  },
};

export const filterSave: Command = {
  name: 'filter save',
  about: 'save a filter for the list of people or for the activity',
  operands: ['people|activity', 'name'],
  options: {
    filter: { value: 'NAME=VALUE', multiple: true, about: 'a parameter of the list, such as status=disabled; may be repeated' },
  },
  async run({ api, operands, options, print }) {
    const [page = '', name = ''] = operands;
    const savedFilter = await api.saveFilter({ page, name, filter: readParameters(options.texts('filter')) });
    print(savedFilter, () => `The filter ${sanitize(savedFilter.name)} is saved: ${savedFilter.id}\n`);
    return true;
  },
};

export const filterRemove: Command = {
  name: 'filter remove',
  about: 'remove a saved filter',
  operands: ['id'],
  options: {},
  async run({ api, operands, print }) {
    print(await api.removeFilter(operands[0] ?? ''), () => 'The filter is removed.\n');
    return true;
  },
};

/** @param texts such as `status=disabled` @throws CliFailure for a text without a name or without `=` */
export function readParameters(texts: readonly string[]): Record<string, string> {
  const pairs = texts.map((text) => {
    const equalsSign = text.indexOf('=');
    if (equalsSign < 1) throw buildUsageFailure(`--filter ${sanitize(text)} must be NAME=VALUE, such as status=disabled.`);
    return [text.slice(0, equalsSign), text.slice(equalsSign + 1)] as const;
  });
  return Object.fromEntries(pairs);
}
