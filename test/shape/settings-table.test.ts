import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { buildSettingsTable, withSettingsTable } from '../../src/config/settings-table.js';
import { SETTINGS, SETTING_GROUPS, SETTING_LIST } from '../../src/config/settings.js';
import { PROJECT } from '../support/scratch-tree.js';

describe('the table of settings', () => {
  it('is stored in docs/settings.md as the settings define it (npm run settings updates it)', () => {
    const page = readFileSync(join(PROJECT, 'docs', 'settings.md'), 'utf8');
    expect(page).toBe(withSettingsTable(page));
  });

  it('has a row for every setting', () => {
    const rows = buildSettingsTable().match(/^\| `\w+`/gm) ?? [];
    const names = SETTING_LIST.map(({ name }) => `| \`${name}\``);
    expect(rows.sort()).toEqual(names.sort());
    expect(new Set(names).size).toBe(names.length);
    expect(SETTING_GROUPS.flatMap(({ sections }) => sections).sort()).toEqual(Object.keys(SETTINGS).sort());
  });

  it('keeps the text around it, and requires the marks of its place', () => {
    const [begin, end] = [buildSettingsTable().split('\n')[0] ?? '', buildSettingsTable().split('\n').at(-1) ?? ''];
    expect(withSettingsTable(`before\n${begin}\nold\n${end}\nafter\n`)).toBe(`before\n${buildSettingsTable()}\nafter\n`);
    expect(() => withSettingsTable('a text without marks')).toThrow('settings:begin');
  });

  it('has the same number of cells in every row', () => {
    const rows = buildSettingsTable()
      .split('\n')
      .filter((line) => line.startsWith('|'));
    expect(rows.filter((row) => row.split('|').length !== 5)).toEqual([]);
  });
});
