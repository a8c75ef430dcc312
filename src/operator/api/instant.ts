/** Reads the dates and times of requests. */
import { OperatorFault } from './operator-fault.js';

/** @param text in a form that `Instant` in `body-members.ts` accepts @throws OperatorFault 400 */
export function toInstant(field: string, text: string): Date {
  const [instant, day] = [new Date(text), text.slice(0, 10)];
  // `Date` reads 31 February as 3 March.
  const isDay = !Number.isNaN(instant.getTime()) && new Date(`${day}T00:00Z`).toISOString().startsWith(day);
  if (isDay) return instant;
  throw new OperatorFault(400, 'wrong_type', `${field} is not a valid date.`, { field });
}
