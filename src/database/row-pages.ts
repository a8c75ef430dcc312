/** Splits rows with a sequence number into pages. A cursor is the number of the last row of a page; the next page begins after it. */

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 200;

/** @returns the number of rows of a page, from 1 to 200; 50 by default */
export function toPageSize(limit = PAGE_SIZE): number {
  return Math.min(Math.max(Math.trunc(limit) || PAGE_SIZE, 1), MAX_PAGE_SIZE);
}

export function isCursor(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}

/** @param foundRows the rows of the page, and one more if there is a next page */
export function toPage<Row extends { seq: number }>(
  foundRows: readonly Row[],
  size: number,
): { rows: Row[]; nextCursor?: string } {
  const rows = foundRows.slice(0, size);
  const lastRow = rows.at(-1);
  return { rows, ...(foundRows.length > size && lastRow ? { nextCursor: String(lastRow.seq) } : {}) };
}
