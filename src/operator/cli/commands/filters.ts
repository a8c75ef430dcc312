/** Lists, saves and removes filters of lists. They belong to the token with which they were saved. */
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
  { title: 'SAVED', value: ({ saved_at: at }) => formatTime(at), whole: true },
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
  about: 'save a filter of the list of people or of the activity',
  operands: ['people|activity', 'name'],
  options: {
    filter: { value: 'NAME=VALUE', multiple: true, about: 'a parameter of the list, such as status=disabled; may be repeated' },
  },
  async run({ api, operands, options, print }) {
    const [page = '', name = ''] = operands;
    const saved = await api.saveFilter({ page, name, filter: readParameters(options.texts('filter')) });
    print(saved, () => `The filter ${sanitize(saved.name)} is saved: ${saved.id}\n`);
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

/** @param given such as `status=disabled` @throws CliFailure for one without a value */
export function readParameters(given: readonly string[]): Record<string, string> {
  const pairs = given.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw buildUsageFailure(`--filter ${sanitize(text)} must be NAME=VALUE, such as status=disabled.`);
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  return Object.fromEntries(pairs);
}
