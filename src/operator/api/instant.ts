/** Reads the dates and times of requests. */
import { parseDay } from '../../config/calendar-day.js';
import { OperatorFault } from './operator-fault.js';

/** @param text in a form that `Instant` in `body-members.ts` accepts @throws OperatorFault 400 */
export function toInstant(field: string, text: string): Date {
  const instant = new Date(text);
  if (parseDay(text.slice(0, 10)) !== null && !Number.isNaN(instant.getTime())) return instant;
  throw new OperatorFault(400, 'wrong_type', `${field} is not a valid date.`, { field });
}
