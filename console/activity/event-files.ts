/** Writes events as CSV (RFC 4180) or JSON, page by page. */
import type { AuditEntry, AuditPage } from '../api/calls.js';

export type FileFormat = 'csv' | 'json';

/** Describes a kind of event in the language of the operator. */
type Describe = (kind: string) => string;

const COLUMNS: readonly (readonly [name: string, value: (entry: AuditEntry, describe: Describe) => string | null])[] = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => at],
  ['event', ({ kind }, describe) => describe(kind)],
  ['kind', ({ kind }) => kind],
  ['actor', ({ actor }) => actor],
  ['account_id', ({ account_id: account }) => account],
  ['username', ({ username }) => username],
  ['address', ({ address }) => address],
  ['request_id', ({ request_id: request }) => request],
  ['reason', ({ detail }) => (typeof detail?.['reason'] === 'string' ? detail['reason'] : null)],
  ['detail', ({ detail }) => (detail === null ? null : JSON.stringify(detail))],
];

/**
 * A spreadsheet runs a cell as a formula if it begins with one of these characters, even after a space. Where semicolons separate
 * lists, as in German, each semicolon begins a new cell, even within quotes.
 */
const FORMULA = /(^|;)(?=\s*[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20])/g;

export function toCsvCell(value: string | null): string {
  const text = (value ?? '').replace(FORMULA, "$1'");
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

const toCsvLine = (cells: readonly (string | null)[]): string => `${cells.map(toCsvCell).join(',')}\r\n`;

/** The beginning of a file; Excel reads UTF-8 only with a byte order mark. */
export const beginFile = (format: FileFormat): string =>
  format === 'csv' ? `\uFEFF${toCsvLine(COLUMNS.map(([name]) => name))}` : '[';

interface WriteOptions {
  format: FileFormat;
  /** Whether no entry was written before. */
  isFirst: boolean;
  describe: Describe;
}

export function writeEntries(entries: readonly AuditEntry[], { format, isFirst, describe }: WriteOptions): string {
  if (format === 'csv') return entries.map((entry) => toCsvLine(COLUMNS.map(([, value]) => value(entry, describe)))).join('');
  return entries.map((entry, index) => `${isFirst && index === 0 ? '' : ','}\n${JSON.stringify(entry)}`).join('');
}

export const endFile = (format: FileFormat): string => (format === 'csv' ? '' : '\n]\n');

/** @param fetchPage loads the page of a cursor; without a cursor, the first page */
export async function* readPages(
  fetchPage: (cursor: string | undefined) => Promise<AuditPage>,
  start?: string,
): AsyncGenerator<AuditPage> {
  let cursor = start;
  do {
    const page = await fetchPage(cursor);
    yield page;
    cursor = page.next_cursor;
  } while (cursor !== undefined);
}
