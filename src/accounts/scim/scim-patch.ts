/**
 * Applies the operations of a PATCH to a person (RFC 7644, section 3.5.2), including those that Entra ID and Okta send beyond the
 * standard. Works on a copy: if one operation is refused, nothing is changed. Patches of groups are in `group-patch.ts`.
 */
import type { Filter } from 'scim2-parse-filter';
import { defined } from '../../config/defined.js';
import { isObject } from '../../config/settings-kinds.js';
import { matches, parseFilter, toMembers } from './scim-filter.js';
import { ENTERPRISE_SCHEMA, USER_ATTRIBUTES, findSubAttribute, type AttributeTable, type ScimAttribute } from './scim-schema.js';
import { MAX_VALUES, readSingle, readValue, requireSchema, toList, type ScimResource } from './scim-resource.js';
import { ScimRefused, invalidValue } from './scim-refused.js';

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
/** Limit for a group; operations on a person cost more, see `MAX_CHANGES`. */
const MAX_OPERATIONS = 1000;
/** Maximum number of attributes in one PATCH of a person: each is compared with up to a hundred values. */
const MAX_CHANGES = 100;
const MAX_PATH = 1000;
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i;
const PATH = /^([A-Za-z$][\w$-]*)(?:\[(.*)\])?(?:\.([A-Za-z$][\w$-]*))?$/s;
/** Members that only the server writes, and that are ignored in a value without a path. Okta sends the id along. */
const SERVER_MEMBERS = ['schemas', 'id', 'meta'];

export interface Operation {
  op: 'add' | 'replace' | 'remove';
  path?: string;
  value?: unknown;
}

/** What a path names: an attribute, or the attribute of an extension. */
interface Target {
  /** The path for error messages. */
  text: string;
  extension: boolean;
  attribute: ScimAttribute;
  filter?: Filter;
  sub?: ScimAttribute;
}

type Values = Record<string, unknown>;

/** Targets by path, so that each path is parsed once. */
type Targets = Map<string, Target>;

/** @throws ScimRefused */
export function readOperations(body: unknown): Operation[] {
  if (!isObject(body)) throw new ScimRefused(400, 'invalidSyntax', 'The body must be a JSON object.');
  requireSchema(body, PATCH_SCHEMA);
  const operations = findMember(body, 'operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw new ScimRefused(400, 'invalidSyntax', 'Operations must be a list with at least one operation.', 'Operations');
  if (operations.length > MAX_OPERATIONS)
    throw new ScimRefused(400, 'tooMany', `Operations may have at most ${MAX_OPERATIONS} entries.`, 'Operations');
  return operations.map(readOperation);
}

function readOperation(entry: unknown): Operation {
  const members = isObject(entry) ? entry : {};
  const [op, path, value] = [findMember(members, 'op'), findMember(members, 'path'), findMember(members, 'value')];
  const name = typeof op === 'string' ? op.toLowerCase() : '';
  if (name !== 'add' && name !== 'replace' && name !== 'remove')
    throw new ScimRefused(400, 'invalidSyntax', 'op must be add, replace or remove.', 'op');
  if (path === undefined || path === null || path === '') {
    if (name === 'remove') throw new ScimRefused(400, 'noTarget', 'A remove operation requires a path.', 'path');
    return { op: name, value };
  }
  if (typeof path !== 'string' || path.length > MAX_PATH)
    throw new ScimRefused(400, 'invalidPath', `path must be a string of at most ${MAX_PATH} characters.`, 'path');
  return { op: name, path: path.trim(), value };
}

/** @returns the person after the operations @throws ScimRefused */
export function patchUser(storedResource: ScimResource, operations: readonly Operation[]): ScimResource {
  const changes = operations.flatMap((one) => (one.path === undefined ? Object.keys(asValues(one.value)) : one.path));
  if (changes.length > MAX_CHANGES)
    throw new ScimRefused(400, 'tooMany', `Operations on a person may name at most ${MAX_CHANGES} attributes.`, 'Operations');
  const values = structuredClone(storedResource) as Values;
  const targets: Targets = new Map();
  for (const { op, path, value } of operations) {
    if (path === undefined) applyWithoutPath(values, { op, value }, targets);
    else applyAt(values, { op, path, value }, targets);
  }
  return values;
}

/** Whether operations may set the password. */
export function namesPassword(operations: readonly Operation[]): boolean {
  const names = operations.flatMap(({ path, value }) => (path === undefined ? Object.keys(asValues(value)) : [path]));
  return names.some((one) => one.toLowerCase().includes('password'));
}

function applyWithoutPath(values: Values, { op, value }: Operation, targets: Targets): void {
  if (!isObject(value)) throw invalidValue('value', 'must be a JSON object, because the operation has no path');
  for (const [name, one] of Object.entries(value)) {
    if (SERVER_MEMBERS.includes(name.toLowerCase())) continue;
    const attribute = USER_ATTRIBUTES.get(name.toLowerCase());
    // Unknown and read-only attributes are ignored, as in a whole resource.
    if (attribute?.mutability === 'readOnly' || (!attribute && /^[\w$-]+$/.test(name))) continue;
    applyAt(values, { op, path: name, value: one }, targets);
  }
}

function applyAt(values: Values, { op, path, value }: Required<Operation>, targets: Targets): void {
  const target = targets.get(path) ?? findTarget(path);
  targets.set(path, target);
  requireWritable(target);
  const holder = target.extension ? enterExtension(values) : values;
  if (op === 'remove') remove(holder, target, value);
  else if (target.filter) writeMatching(holder, target as Target & { filter: Filter }, { op, value });
  else write(holder, target, { op, value });
  if (target.extension && Object.keys(holder).length === 0) Reflect.deleteProperty(values, ENTERPRISE_SCHEMA);
  requirePlausible(holder, target);
}

/** @throws ScimRefused */
function findTarget(path: string): Target {
  const [extension, rest] = splitSchema(path);
  const whole = USER_ATTRIBUTES.get(ENTERPRISE_SCHEMA.toLowerCase());
  if (extension && rest === '' && whole) return { text: ENTERPRISE_SCHEMA, extension: false, attribute: whole };
  const [, name = '', inBrackets, subName] = PATH.exec(rest) ?? [];
  const attribute = extension ? whole && findSubAttribute(whole, name) : findIn(USER_ATTRIBUTES, name);
  if (!attribute) throw invalidPath('does not name a supported attribute');
  const filter = inBrackets === undefined ? undefined : readPathFilter(attribute, inBrackets);
  if (subName === undefined) return { text: attribute.name, extension, attribute, ...defined({ filter }) };
  const sub = findSubAttribute(attribute, subName);
  if (!sub) throw invalidPath(`does not name a part of ${attribute.name}`);
  return { text: `${attribute.name}.${sub.name}`, extension, attribute, sub, ...defined({ filter }) };
}

function readPathFilter({ name, multiValued }: ScimAttribute, text: string): Filter {
  if (!multiValued) throw invalidPath(`has a filter, but ${name} has only one value`);
  return parseFilter(text, 'invalidPath');
}

function splitSchema(path: string): [extension: boolean, rest: string] {
  const lower = path.toLowerCase();
  const extension = ENTERPRISE_SCHEMA.toLowerCase();
  if (lower === extension) return [true, ''];
  if (lower.startsWith(`${extension}:`)) return [true, path.slice(extension.length + 1)];
  return [false, path.replace(CORE, '')];
}

function findIn(table: AttributeTable, name: string): ScimAttribute | undefined {
  return table.get(name.toLowerCase());
}

function invalidPath(cause: string): ScimRefused {
  return new ScimRefused(400, 'invalidPath', `A path of the operations ${cause}.`, 'path');
}

function requireWritable({ attribute, sub, text }: Target): void {
  if (attribute.mutability !== 'readOnly' && sub?.mutability !== 'readOnly') return;
  throw new ScimRefused(400, 'mutability', `${text} is read-only.`, text);
}

function enterExtension(values: Values): Values {
  const extension = values[ENTERPRISE_SCHEMA];
  if (isObject(extension)) return extension;
  const newExtension: Values = {};
  values[ENTERPRISE_SCHEMA] = newExtension;
  return newExtension;
}

/** @param value the values to remove from a list, as Entra ID sends them; if undefined, the path alone selects them */
function remove(holder: Values, { attribute, filter, sub, text }: Target, value: unknown): void {
  const { name } = attribute;
  if (!sub && attribute.required) throw new ScimRefused(400, 'mutability', `${text} cannot be removed.`, text);
  if (!attribute.multiValued) {
    if (sub) removePart(holder, name, sub.name);
    else Reflect.deleteProperty(holder, name);
    return;
  }
  const listedValues = value === undefined || sub ? undefined : readValue(attribute, value, text);
  const isListed = Array.isArray(listedValues) ? buildMatcher(listedValues) : (): boolean => true;
  const isRemoved = (one: unknown): boolean => (!filter || matches(one, filter)) && isListed(one);
  const remainingValues = toList(holder[name]).flatMap((one) =>
    isRemoved(one) ? (sub ? withoutPart(one, sub.name) : []) : [one],
  );
  if (remainingValues.length > 0) holder[name] = remainingValues;
  else Reflect.deleteProperty(holder, name);
}

function removePart(holder: Values, name: string, part: string): void {
  const [rest] = withoutPart(holder[name], part);
  if (rest === undefined) Reflect.deleteProperty(holder, name);
  else holder[name] = rest;
}

/** @returns a list with the remaining value; empty if the value had no other part */
function withoutPart(value: unknown, part: string): unknown[] {
  if (!isObject(value)) return [];
  const { [part]: _, ...rest } = value;
  return Object.keys(rest).length === 0 ? [] : [rest];
}

function write(holder: Values, target: Target, { op, value }: Operation): void {
  const { attribute, sub, text } = target;
  const { name } = attribute;
  if (sub) return writePart(holder, target as Target & { sub: ScimAttribute }, value);
  const parsedValue = readValue(attribute, value, text);
  if (parsedValue === undefined) {
    // Adding an empty value has no effect.
    if (op === 'replace') remove(holder, target, undefined);
    return;
  }
  if (attribute.multiValued && op === 'add') holder[name] = merge(toList(holder[name]), parsedValue as unknown[]);
  // The parts that are not named stay (RFC 7644, section 3.5.2.3).
  else if (attribute.type === 'complex' && !attribute.multiValued)
    holder[name] = { ...asValues(holder[name]), ...asValues(parsedValue) };
  else holder[name] = parsedValue;
}

function writePart(holder: Values, { attribute, sub, text }: Target & { sub: ScimAttribute }, value: unknown): void {
  const { name } = attribute;
  const parsedValue = readValue(sub, value, text);
  if (!attribute.multiValued) {
    if (parsedValue === undefined) removePart(holder, name, sub.name);
    else holder[name] = { ...asValues(holder[name]), [sub.name]: parsedValue };
    return;
  }
  const list = toList(holder[name]);
  holder[name] = (list.length > 0 ? list : [{}]).map((one) => ({ ...asValues(one), [sub.name]: parsedValue }));
}

function writeMatching(holder: Values, target: Target & { filter: Filter }, { op, value }: Operation): void {
  const { attribute, sub, filter, text } = target;
  const parsedValue = sub ? readValue(sub, value, text) : readSingle(attribute, Array.isArray(value) ? value[0] : value, text);
  if (parsedValue === undefined) {
    if (op === 'replace') remove(holder, target, undefined);
    return;
  }
  const change = sub ? { [sub.name]: parsedValue } : asValues(parsedValue);
  const list = toList(holder[attribute.name]);
  if (list.some((one) => matches(one, filter))) {
    holder[attribute.name] = list.map((one) => (matches(one, filter) ? { ...asValues(one), ...change } : one));
    return;
  }
  // Entra ID sends a replacement of the work address even if the person has none.
  const members = toMembers(filter);
  const newValue = members && readSingle(attribute, members, text);
  if (!newValue) throw new ScimRefused(400, 'noTarget', `No value of ${text} satisfies the filter of the path.`, text);
  holder[attribute.name] = [...list, { ...asValues(newValue), ...change }];
}

/** A new primary value takes the place of the old one (RFC 7644, section 3.5.2). */
function merge(list: readonly unknown[], addedValues: readonly unknown[]): unknown[] {
  const isPrimary = (one: unknown): boolean => asValues(one)['primary'] === true;
  const current = addedValues.some(isPrimary)
    ? list.map((one) => (isPrimary(one) ? { ...asValues(one), primary: false } : one))
    : list;
  const present = new Set(list.map(toText));
  const missingValues = new Map(addedValues.map((one) => [toText(one), one] as const).filter(([text]) => !present.has(text)));
  return [...current, ...missingValues.values()];
}

function requirePlausible(holder: Values, { attribute: { name, multiValued } }: Target): void {
  if (multiValued && toList(holder[name]).length > MAX_VALUES) throw invalidValue(name, `has more than ${MAX_VALUES} values`);
}

/** @returns a function that reports whether a value is one of these: it has the same `value` or, without `value`, the same members */
function buildMatcher(listedValues: readonly unknown[]): (one: unknown) => boolean {
  const values = new Set(listedValues.map((one) => asValues(one)['value']));
  const texts = new Set(listedValues.filter((one) => asValues(one)['value'] === undefined).map(toText));
  values.delete(undefined);
  return (one) => values.has(asValues(one)['value']) || (texts.size > 0 && texts.has(toText(one)));
}

/** @returns the same text for the same members, because the database and the client order them differently */
function toText(value: unknown): string {
  return JSON.stringify(Object.entries(asValues(value)).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function asValues(value: unknown): Values {
  return isObject(value) ? { ...value } : {};
}

function findMember(members: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.entries(members).find(([own]) => own.toLowerCase() === name)?.[1];
}
