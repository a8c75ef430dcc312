/** @param text as in `2024-02-29` @returns the first moment of the day in UTC; null if the text has another form, or the day does not exist */
export function parseDay(text: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const date = new Date(`${text}T00:00:00Z`);
  // `Date` reads 30 February as 1 March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? date : null;
}
