import { describe, expect, it } from '@jest/globals';
import { formatFacts, formatTable, type Column } from './table.js';

interface Row {
  name: string;
  id: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'NAME', value: ({ name }) => name },
  { title: 'ID', value: ({ id }) => id, whole: true, mark: ({ id }) => (id === '0' ? 'bad' : undefined) },
];

const ROWS = [
  { name: '山田', id: '1' },
  { name: 'Maria Musterfrau', id: '22' },
];

describe('a table', () => {
  it('is aligned by the columns of the terminal', () => {
    expect(formatTable(COLUMNS, ROWS, { colours: false })).toBe(
      'NAME              ID\n山田              1\nMaria Musterfrau  22\n',
    );
  });

  it('cuts the columns that may be cut to the width of the window, but keeps them readable', () => {
    expect(formatTable(COLUMNS, ROWS, { colours: false, columns: 15 })).toBe(
      'NAME         ID\n山田         1\nMaria Must…  22\n',
    );
    expect(formatTable(COLUMNS, ROWS, { colours: false, columns: 3 })).toBe('NAME      ID\n山田      1\nMaria M…  22\n');
  });

  it('stays aligned with colours', () => {
    const text = formatTable(COLUMNS, [{ name: 'a', id: '0' }], { colours: true });
    expect(text).toContain('\u001b[31m0\u001b[0m');
    expect(text.replace(/\u001b\[\d+m/g, '')).toBe('NAME  ID\na     0\n');
  });

  it('of names and values is aligned and safe for a terminal too', () => {
    expect(
      formatFacts([
        ['Id', '1'],
        ['Username', 'maria\u001b'],
      ]),
    ).toBe('Id        1\nUsername  maria\uFFFD\n');
  });
});
