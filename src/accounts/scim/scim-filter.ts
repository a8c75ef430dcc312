/** Filters of lists and of paths (RFC 7644, section 3.4.2.2), parsed by `scim2-parse-filter`. */
import { parse, type Filter } from 'scim2-parse-filter';
import { isObject } from '../../config/settings-kinds.js';
import { ScimRefused, type ScimType } from './scim-refused.js';

const MAX_LENGTH = 1000;
/** The filter in a path of a PATCH is compared with up to a hundred values. */
const MAX_COMPARISONS = 10;

export type Comparison = 'eq' | 'gt' | 'ge' | 'lt' | 'le';

/** One of the conditions that a row of a list has to satisfy. */
export interface Condition {
  /** A path of `FILTERS`; empty for a type whose address is not known yet. */
  path: string;
  comparison: Comparison;
  value: string;
  /** For e-mail addresses: only addresses of this type. */
  type?: string;
}

/** Paths by which lists can be filtered, because they have an index. */
export const FILTERS = {
  User: ['id', 'userName', 'externalId', 'emails', 'emails.value', 'meta.lastModified'],
  Group: ['id', 'displayName', 'externalId', 'members', 'members.value', 'meta.lastModified'],
} as const;

const TIME_COMPARISONS = ['gt', 'ge', 'lt', 'le'];
const URN = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i;

/** @throws ScimRefused */
export function parseFilter(text: string, scimType: ScimType = 'invalidFilter'): Filter {
  if (text.length > MAX_LENGTH) throw new ScimRefused(400, scimType, `A filter may have at most ${MAX_LENGTH} characters.`);
  // The parser tries two ways for each line break within quotes, so thirty line breaks would block the gateway.
  if (/\p{Cc}/u.test(text)) throw new ScimRefused(400, scimType, 'A filter must not contain control characters.');
  const filter = readGrammar(text, scimType);
  if (countComparisons(filter) <= MAX_COMPARISONS) return filter;
  throw new ScimRefused(400, scimType, `A filter may have at most ${MAX_COMPARISONS} comparisons.`);
}

function readGrammar(text: string, scimType: ScimType): Filter {
  try {
    return parse(text);
  } catch {
    // The message of the parser quotes the filter, which may contain personal data.
    throw new ScimRefused(400, scimType, 'The filter cannot be read (RFC 7644, section 3.4.2.2).');
  }
}

function countComparisons(filter: Filter): number {
  if (filter.op === 'and' || filter.op === 'or') return filter.filters.reduce((sum, one) => sum + countComparisons(one), 0);
  if (filter.op === 'not') return countComparisons(filter.filter);
  return filter.op === '[]' ? countComparisons(filter.valFilter) : 1;
}

/** @throws ScimRefused for a filter that cannot be read or has no index */
export function readConditions(text: string, resource: keyof typeof FILTERS): Condition[] {
  const conditions = toConditions(parseFilter(text), FILTERS[resource]);
  if (conditions?.every(({ path }) => path !== '')) return conditions;
  const supportedFilters = `${FILTERS[resource].slice(0, -1).join(', ')} with eq, and meta.lastModified with gt, ge, lt or le`;
  throw new ScimRefused(
    400,
    'invalidFilter',
    `This filter is not supported. Supported filters: ${supportedFilters}; they can be joined by and.`,
    'filter',
  );
}

/** @returns the path by which only the other kind of resource can be filtered; null if there is none @throws ScimRefused */
export function findForeignPath(text: string, resource: keyof typeof FILTERS): string | null {
  const otherFilters: readonly string[] = FILTERS[resource === 'User' ? 'Group' : 'User'];
  const conditions = toConditions(parseFilter(text), otherFilters) ?? [];
  const ownFilters: readonly string[] = FILTERS[resource];
  return conditions.find(({ path }) => !ownFilters.includes(path))?.path ?? null;
}

function toConditions(filter: Filter, paths: readonly string[]): Condition[] | null {
  if (filter.op === 'and') return joinTypes(filter.filters.map((one) => toConditions(one, paths)));
  if (filter.op === '[]') {
    const innerFilter = filter.valFilter;
    const parts = innerFilter.op === 'and' ? innerFilter.filters : [innerFilter];
    const conditions = parts.map((one) => toInnerConditions(filter.attrPath, one, paths));
    return joinTypes(conditions);
  }
  if (!('attrPath' in filter) || !('compValue' in filter)) return null;
  const condition = toCondition({ path: filter.attrPath, op: filter.op, value: filter.compValue }, paths);
  return condition && [condition];
}

/** Reads an equality within brackets. @returns a condition with an empty path for a type; null if the equality is not supported */
function toInnerConditions(attribute: string, filter: Filter, paths: readonly string[]): Condition[] | null {
  if (!('attrPath' in filter) || !('compValue' in filter) || filter.op !== 'eq') return null;
  const { attrPath, compValue } = filter;
  const isType = attrPath.toLowerCase() === 'type' && attribute.toLowerCase() === 'emails' && typeof compValue === 'string';
  if (isType) return [{ path: '', comparison: 'eq', value: '', type: compValue }];
  const condition = toCondition({ path: `${attribute}.${attrPath}`, op: 'eq', value: compValue }, paths);
  return condition && [condition];
}

/**
 * Adds a type to its address: in the parsed form of `emails[type eq "work"].value eq "x"`, the type is a separate condition.
 * @returns null if a part is not supported, or if an address has two types
 */
function joinTypes(parts: readonly (Condition[] | null)[]): Condition[] | null {
  if (parts.some((one) => one === null)) return null;
  const allConditions = parts.flatMap((one) => one ?? []);
  const [type, ...otherTypes] = allConditions.flatMap((one) => (one.path === '' && one.type !== undefined ? [one.type] : []));
  const rest = allConditions.filter(({ path }) => path !== '');
  if (type === undefined) return rest;
  // A condition can have only one type.
  if (otherTypes.length > 0 || rest.some((one) => one.type !== undefined)) return null;
  const hasAddress = rest.some(({ path }) => path.startsWith('emails'));
  // The address is not in this part of the filter, so the enclosing part receives the type.
  if (!hasAddress) return [...rest, { path: '', comparison: 'eq', value: '', type }];
  return rest.map((one) => (one.path.startsWith('emails') ? { ...one, type } : one));
}

function toCondition(
  { path: text, op, value }: { path: string; op: string; value: unknown },
  paths: readonly string[],
): Condition | null {
  const name = text.replace(URN, '').toLowerCase();
  const path = paths.find((one) => one.toLowerCase() === name);
  if (path === undefined || typeof value !== 'string' || value.includes('\u0000')) return null;
  if (path === 'meta.lastModified') {
    const isTime =
      TIME_COMPARISONS.includes(op) &&
      /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value) &&
      !Number.isNaN(Date.parse(value));
    return isTime ? { path, comparison: op as Comparison, value } : null;
  }
  return op === 'eq' ? { path, comparison: 'eq', value } : null;
}

/** Whether a value of an attribute satisfies the filter of a path such as `[type eq "work"]`. */
export function matches(value: unknown, filter: Filter): boolean {
  switch (filter.op) {
    case 'and':
      return filter.filters.every((one) => matches(value, one));
    case 'or':
      return filter.filters.some((one) => matches(value, one));
    case 'not':
      return !matches(value, filter.filter);
    case '[]':
      return false;
    case 'pr':
      return findMember(value, filter.attrPath) !== undefined;
    default:
      return 'compValue' in filter && compare(findMember(value, filter.attrPath), filter.op, filter.compValue);
  }
}

function findMember(value: unknown, name: string): unknown {
  if (!isObject(value)) return undefined;
  return Object.entries(value).find(([own]) => own.toLowerCase() === name.toLowerCase())?.[1];
}

/** Entra ID compares booleans with "True". */
function compare(storedValue: unknown, op: string, expectedValue: unknown): boolean {
  const [storedText, expectedText] = [toComparable(storedValue), toComparable(expectedValue)];
  if (op === 'eq') return storedText === expectedText;
  if (op === 'ne') return storedText !== expectedText;
  if (op === 'co') return storedText.includes(expectedText);
  if (op === 'sw') return storedText.startsWith(expectedText);
  return op === 'ew' && storedText.endsWith(expectedText);
}

function toComparable(value: unknown): string {
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number' ? String(value).toLowerCase() : '';
}

/**
 * @returns the members that a value must have to satisfy the filter; null unless it consists only of equalities of different
 * members, joined by `and`
 */
export function toMembers(filter: Filter): Readonly<Record<string, unknown>> | null {
  if (filter.op === 'eq' && 'compValue' in filter) return { [filter.attrPath]: filter.compValue };
  if (filter.op !== 'and') return null;
  const parts = filter.filters.map(toMembers);
  const members = parts.flatMap((one) => Object.entries(one ?? {}));
  const names = new Set(members.map(([name]) => name.toLowerCase()));
  return parts.some((one) => one === null) || names.size < members.length ? null : Object.fromEntries(members);
}
