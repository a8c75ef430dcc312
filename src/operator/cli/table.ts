/** Formats rows as aligned columns. In a narrow window, cuts the widest of the columns that may be cut. */
import { cutTo, padTo, sanitize, measureWidth } from './shown-text.js';

export interface Column<Row> {
  title: string;
  value(row: Row): string;
  /** Whether the column is never cut, because a part of an id, for example, is useless. */
  whole?: boolean;
  /** @returns `bad` for a value that is shown in red */
  mark?(row: Row): 'bad' | undefined;
}

export interface TableLayout {
  columns?: number;
  colours: boolean;
}

const GAP = '  ';
const MIN_WIDTH = 8;
/** Escape sequences of a terminal. */
const COLOURS = { title: '\u001b[1m', bad: '\u001b[31m', end: '\u001b[0m' };

export function formatTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], layout: TableLayout): string {
  const cells = rows.map((row) => columns.map((column) => sanitize(column.value(row))));
  const naturalWidths = columns.map(({ title }, index) =>
    Math.max(measureWidth(title), ...cells.map((row) => measureWidth(row[index] ?? ''))),
  );
  const widths = fitWidths(naturalWidths, columns, layout.columns);
  const formatLine = (texts: readonly string[], toColour: (index: number) => string): string =>
    texts
      .map((text, index) => {
        const width = widths[index] ?? 0;
        const cut = cutTo(text, width);
        const code = layout.colours ? toColour(index) : '';
        const output = code === '' ? cut : `${code}${cut}${COLOURS.end}`;
        return index === texts.length - 1 ? output : output + padTo(cut, width).slice(cut.length);
      })
      .join(GAP)
      .trimEnd();
  const head = formatLine(
    columns.map(({ title }) => title),
    () => COLOURS.title,
  );
  const body = rows.map((row, index) =>
    formatLine(cells[index] ?? [], (columnIndex) => (columns[columnIndex]?.mark?.(row) ? COLOURS.bad : '')),
  );
  return [head, ...body].map((text) => `${text}\n`).join('');
}

/** Formats names and their values, one pair on each line. */
export function formatFacts(lines: readonly (readonly [string, string])[]): string {
  const width = Math.max(...lines.map(([name]) => measureWidth(name)));
  return lines.map(([name, value]) => `${padTo(name, width)}${GAP}${sanitize(value)}\n`).join('');
}

function fitWidths(naturalWidths: readonly number[], columns: readonly { whole?: boolean }[], maxWidth = Infinity): number[] {
  const widths = [...naturalWidths];
  const sumWidths = (): number => widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1));
  while (sumWidths() > maxWidth) {
    const widestIndex = widths.reduce((candidate, width, index) => {
      const isLarger = !columns[index]?.whole && width > MIN_WIDTH && width > (widths[candidate] ?? 0);
      return isLarger ? index : candidate;
    }, -1);
    if (widestIndex < 0) break;
    widths[widestIndex] = (widths[widestIndex] ?? 0) - 1;
  }
  return widths;
}
