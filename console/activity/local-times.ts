/** Times of filters: UTC in the address and at the server, the time zone of the operator in the fields. */

/**
 * @param iso a date or time in UTC; undefined for an empty field
 * @returns the value of a `datetime-local` field; empty without a valid time
 */
export function toLocalField(iso: string | undefined): string {
  if (iso === undefined) return '';
  const moment = new Date(iso);
  if (Number.isNaN(moment.getTime())) return '';
  const day = [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()].map(toTwoDigits).join('-');
  return `${day}T${[moment.getHours(), moment.getMinutes()].map(toTwoDigits).join(':')}`;
}

/** A year that begins with 0 is still being typed. */
const COMPLETE_TIME = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d/;

/** @returns the time in UTC to the minute, as the server accepts it; undefined for an empty or incomplete field */
export function fromLocalField(local: string): string | undefined {
  const moment = new Date(local);
  return !COMPLETE_TIME.test(local) || Number.isNaN(moment.getTime()) ? undefined : `${moment.toISOString().slice(0, 16)}Z`;
}

const toTwoDigits = (number: number): string => String(number).padStart(2, '0');
