/** Reads the filters of a list from a body. They are validated like the query of the list. */
import type { Type } from '@nestjs/common';
import { AccountListQuery, AuditLogQuery } from './account-bodies.js';
import { operatorBodyPipe } from './operator-body.pipe.js';
import { OperatorFault } from './operator-fault.js';

const QUERIES: Readonly<Record<'people' | 'activity', Type<object>>> = { people: AccountListQuery, activity: AuditLogQuery };
const MAX_LENGTH = 2000;

/**
 * @throws OperatorFault 400 for a parameter that the list does not have or that selects a page, or for a wrong value; 422 for a filter that
 * is too long
 */
export async function readFilter(page: 'people' | 'activity', members: object): Promise<Record<string, string>> {
  const pageMember = Object.keys(members).find((name) => name === 'cursor' || name === 'limit');
  if (pageMember !== undefined)
    throw new OperatorFault(400, 'unknown_member', `${pageMember} is not a filter: it selects a page.`, { field: pageMember });
  if (JSON.stringify(members).length > MAX_LENGTH)
    throw new OperatorFault(422, 'too_long', `filter must not be longer than ${MAX_LENGTH} characters.`, { field: 'filter' });
  const query = await operatorBodyPipe.read(QUERIES[page], members);
  // PostgreSQL cannot store NUL and unpaired surrogates, and no stored value contains them.
  const filters = Object.entries(query).filter(([, value]) => value !== undefined);
  return Object.fromEntries(filters.map(([name, value]) => [name, String(value).replaceAll('\u0000', '').toWellFormed()]));
}
