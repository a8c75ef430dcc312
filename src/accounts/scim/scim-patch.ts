/**
 * Reads the operations of a PATCH (RFC 7644, section 3.5.2), and applies them to a person, including those that Entra ID and Okta send
 * beyond the standard. Works on a copy: if one operation is refused, nothing is changed. `group-patch.ts` converts those on a group to a
 * `GroupChange`.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Filter } from 'scim2-parse-filter';
import { defined } from '../../config/defined.js';
import { isObject } from '../../config/settings-kinds.js';
import { matches, parseFilter, toMembers } from './scim-filter.js';
import { ENTERPRISE_SCHEMA, USER_ATTRIBUTES, findSubAttribute, type AttributeTable, type ScimAttribute } from './scim-schema.js';
import { MAX_VALUES, readSingle, readValue, requireSchema, toList, type ScimResource } from './scim-resource.js';
import { ScimRefused, invalidValue } from './scim-refused.js';

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const MAX_OPERATIONS = 1000;
/** Maximum number of attributes in one PATCH of a person: each is compared with up to a hundred values. */
const MAX_CHANGES = 100;
const MAX_PATH_LENGTH = 1000;
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i;
const PATH = /^([A-Za-z$][\w$-]*)(?:\[(.*)\])?(?:\.([A-Za-z$][\w$-]*))?$/s;
/** Members that are ignored in the value of an operation without a path. Okta sends the id along. */
const SERVER_MEMBERS = ['schemas', 'id', 'meta'];

export interface Operation {
  op: 'add' | 'replace' | 'remove';
  path?: string;
  value?: unknown;
}

/** What a path names: an attribute, a part of it, an extension, or an attribute of an extension. */
interface Target {
  /** The path for error messages. */
  text: string;
  isExtension: boolean;
  attribute: ScimAttribute;
  filter?: Filter;
  subAttribute?: ScimAttribute;
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
  if (typeof path !== 'string' || path.length > MAX_PATH_LENGTH)
    throw new ScimRefused(400, 'invalidPath', `path must be a string of at most ${MAX_PATH_LENGTH} characters.`, 'path');
  return { op: name, path: path.trim(), value };
}

/** @returns the person after the operations @throws ScimRefused */
export function patchUser(storedResource: ScimResource, operations: readonly Operation[]): ScimResource {
  const changes = operations.flatMap((one) => (one.path === undefined ? Object.keys(toValues(one.value)) : one.path));
  if (changes.length > MAX_CHANGES)
    throw new ScimRefused(400, 'tooMany', `Operations on a person may name at most ${MAX_CHANGES} attributes.`, 'Operations');
  const values = structuredClone(storedResource) as Values;
  const targets: Targets = new Map();
  for (const { op, path, value } of operations) {
    if (path === undefined) applyWithoutPath(values, { op, value }, targets);
    else applyAtPath(values, { op, path, value }, targets);
  }
  return values;
}

/** Whether a path or a name in the operations contains `password`. */
export function namesPassword(operations: readonly Operation[]): boolean {
  const names = operations.flatMap(({ path, value }) => (path === undefined ? Object.keys(toValues(value)) : [path]));
  return names.some((one) => one.toLowerCase().includes('password'));
}

function applyWithoutPath(values: Values, { op, value }: Operation, targets: Targets): void {
  if (!isObject(value)) throw invalidValue('value', 'must be a JSON object, because the operation has no path');
  for (const [name, member] of Object.entries(value)) {
    if (SERVER_MEMBERS.includes(name.toLowerCase())) continue;
    const attribute = USER_ATTRIBUTES.get(name.toLowerCase());
    // Unknown and read-only attributes are ignored, as in a whole resource. Any other name may be a path, such as `name.givenName`.
    if (attribute?.mutability === 'readOnly' || (!attribute && /^[\w$-]+$/.test(name))) continue;
    applyAtPath(values, { op, path: name, value: member }, targets);
  }
}

function applyAtPath(values: Values, { op, path, value }: Required<Operation>, targets: Targets): void {
  const target = targets.get(path) ?? findTarget(path);
  targets.set(path, target);
  requireWritable(target);
  const { name, multiValued } = target.attribute;
  const holder = target.isExtension ? ensureExtension(values) : values;
  const formerList = toList(holder[name]);
  if (op === 'remove') remove(holder, target, value);
  else writeValue(holder, target, { op, value });
  if (target.isExtension && Object.keys(holder).length === 0) Reflect.deleteProperty(values, ENTERPRISE_SCHEMA);
  if (!multiValued || !Array.isArray(holder[name])) return;
  if (holder[name].length > MAX_VALUES) throw invalidValue(name, `has more than ${MAX_VALUES} values`);
  holder[name] = keepOnePrimary(formerList, holder[name]);
}

/** @throws ScimRefused */
function findTarget(path: string): Target {
  const [isExtension, rest] = splitSchema(path);
  const extensionAttribute = USER_ATTRIBUTES.get(ENTERPRISE_SCHEMA.toLowerCase());
  if (isExtension && rest === '' && extensionAttribute)
    return { text: ENTERPRISE_SCHEMA, isExtension: false, attribute: extensionAttribute };
  const [, name = '', filterText, subName] = PATH.exec(rest) ?? [];
  const attribute = isExtension
    ? extensionAttribute && findSubAttribute(extensionAttribute, name)
    : findAttribute(USER_ATTRIBUTES, name);
  if (!attribute) throw invalidPath('does not name a supported attribute');
  const filter = filterText === undefined ? undefined : readPathFilter(attribute, filterText);
  if (subName === undefined) return { text: attribute.name, isExtension, attribute, ...defined({ filter }) };
  const subAttribute = findSubAttribute(attribute, subName);
  if (!subAttribute) throw invalidPath(`does not name a part of ${attribute.name}`);
  return { text: `${attribute.name}.${subAttribute.name}`, isExtension, attribute, subAttribute, ...defined({ filter }) };
}

function readPathFilter({ name, multiValued }: ScimAttribute, text: string): Filter {
  if (!multiValued) throw invalidPath(`has a filter, but ${name} has only one value`);
  return parseFilter(text, 'invalidPath');
}

function splitSchema(path: string): [isExtension: boolean, rest: string] {
  const lowerPath = path.toLowerCase();
  const extension = ENTERPRISE_SCHEMA.toLowerCase();
  if (lowerPath === extension) return [true, ''];
  if (lowerPath.startsWith(`${extension}:`)) return [true, path.slice(extension.length + 1)];
  return [false, path.replace(CORE, '')];
}

function findAttribute(table: AttributeTable, name: string): ScimAttribute | undefined {
  return table.get(name.toLowerCase());
}

function invalidPath(cause: string): ScimRefused {
  return new ScimRefused(400, 'invalidPath', `A path of the operations ${cause}.`, 'path');
}

function requireWritable({ attribute, subAttribute, text }: Target): void {
  if (attribute.mutability !== 'readOnly' && subAttribute?.mutability !== 'readOnly') return;
  throw new ScimRefused(400, 'mutability', `${text} is read-only.`, text);
}

function ensureExtension(values: Values): Values {
  const extension = values[ENTERPRISE_SCHEMA];
  if (isObject(extension)) return extension;
  const newExtension: Values = {};
  values[ENTERPRISE_SCHEMA] = newExtension;
  return newExtension;
}

/** @param value the values to remove from a list, as Entra ID sends them; if it is absent or empty, the path alone selects them */
function remove(holder: Values, { attribute, filter, subAttribute, text }: Target, value: unknown): void {
  const { name } = attribute;
  if (!subAttribute && attribute.required) throw new ScimRefused(400, 'mutability', `${text} cannot be removed.`, text);
  if (!attribute.multiValued) {
    if (subAttribute) removePart(holder, name, subAttribute.name);
    else Reflect.deleteProperty(holder, name);
    return;
  }
  const listedValues = value === undefined || subAttribute ? undefined : readValue(attribute, value, text);
  const isListed = Array.isArray(listedValues) ? buildMatcher(listedValues) : (): boolean => true;
  const isRemoved = (one: unknown): boolean => (!filter || matches(one, filter)) && isListed(one);
  const remainingValues = toList(holder[name]).flatMap((one) =>
    isRemoved(one) ? (subAttribute ? omitPart(one, subAttribute.name) : []) : [one],
  );
  if (remainingValues.length > 0) holder[name] = remainingValues;
  else Reflect.deleteProperty(holder, name);
}

function removePart(holder: Values, name: string, part: string): void {
  const [rest] = omitPart(holder[name], part);
  if (rest === undefined) Reflect.deleteProperty(holder, name);
  else holder[name] = rest;
}

/** @returns a list with the remaining value; empty if the value had no other part */
function omitPart(value: unknown, part: string): unknown[] {
  if (!isObject(value)) return [];
  const { [part]: _, ...rest } = value;
  return Object.keys(rest).length === 0 ? [] : [rest];
}

function writeValue(holder: Values, target: Target, { op, value }: Operation): void {
  const { subAttribute, filter } = target;
  const parsedValue = readTargetValue(target, value);
  if (parsedValue === undefined) {
    // Adding an empty value has no effect.
    if (op === 'replace') remove(holder, target, undefined);
  } else if (filter) writeMatchingValues(holder, { ...target, filter }, parsedValue);
  else if (subAttribute) writePart(holder, { ...target, subAttribute }, parsedValue);
  else writeAttribute(holder, target, { op, value: parsedValue });
}

/** @returns undefined as in `readValue` */
function readTargetValue({ attribute, subAttribute, filter, text }: Target, value: unknown): unknown {
  if (subAttribute) return readValue(subAttribute, value, text);
  return filter ? readSingle(attribute, Array.isArray(value) ? value[0] : value, text) : readValue(attribute, value, text);
}

function writeAttribute(holder: Values, { attribute }: Target, { op, value }: Operation): void {
  const { name } = attribute;
  if (attribute.multiValued && op === 'add') holder[name] = merge(toList(holder[name]), value as unknown[]);
  // The parts that are not named stay (RFC 7644, section 3.5.2.3).
  else if (attribute.type === 'complex' && !attribute.multiValued)
    holder[name] = { ...toValues(holder[name]), ...toValues(value) };
  else holder[name] = value;
}

function writePart(holder: Values, target: Target & { subAttribute: ScimAttribute }, value: unknown): void {
  const { attribute, subAttribute } = target;
  const { name } = attribute;
  if (!attribute.multiValued) {
    holder[name] = { ...toValues(holder[name]), [subAttribute.name]: value };
    return;
  }
  const list = toList(holder[name]);
  holder[name] = (list.length > 0 ? list : [{}]).map((one) => ({ ...toValues(one), [subAttribute.name]: value }));
}

function writeMatchingValues(holder: Values, target: Target & { filter: Filter }, value: unknown): void {
  const { attribute, subAttribute, filter, text } = target;
  const change = subAttribute ? { [subAttribute.name]: value } : toValues(value);
  const list = toList(holder[attribute.name]);
  if (list.some((one) => matches(one, filter))) {
    holder[attribute.name] = list.map((one) => (matches(one, filter) ? { ...toValues(one), ...change } : one));
    return;
  }
  // Entra ID sends a replacement of the work address even if the person has none.
  const members = toMembers(filter);
  const newValue = members && readSingle(attribute, members, text);
  if (!newValue) throw new ScimRefused(400, 'noTarget', `No value of ${text} satisfies the filter of the path.`, text);
  holder[attribute.name] = [...list, { ...toValues(newValue), ...change }];
}

/** A value that is in the list already gets the added members. */
function merge(list: readonly unknown[], addedValues: readonly unknown[]): unknown[] {
  const values = [...list];
  for (const added of addedValues) {
    const index = values.findIndex((one) => isSameValue(one, added));
    if (index === -1) values.push(added);
    else values[index] = { ...toValues(values[index]), ...toValues(added) };
  }
  return values;
}

/** The same address may be in a list with several types (RFC 7643, section 2.4). */
function isSameValue(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other) || one['value'] === undefined) return isDeepStrictEqual(one, other);
  const [type, otherType] = [one['type'], other['type']];
  return one['value'] === other['value'] && (type === undefined || otherType === undefined || type === otherType);
}

/**
 * At most one value is primary, and another that was primary stays in the list (RFC 7644, section 3.5.2). If an operation writes several
 * as primary, the one that was primary before stays primary, else the first one is.
 */
function keepOnePrimary(formerList: readonly unknown[], list: readonly unknown[]): readonly unknown[] {
  const writtenValues = list.filter((one) => isPrimary(one) && !formerList.includes(one));
  const formerValue = toValues(formerList.find(isPrimary))['value'];
  const primary = writtenValues.find((one) => toValues(one)['value'] === formerValue) ?? writtenValues[0];
  return primary === undefined ? list : list.map((one) => (one === primary ? one : demote(one)));
}

function isPrimary(value: unknown): boolean {
  return toValues(value)['primary'] === true;
}

function demote(value: unknown): unknown {
  return isPrimary(value) ? { ...toValues(value), primary: false } : value;
}

/** @returns a function that reports whether a value is one of these: it has the same `value` or, without `value`, the same members */
function buildMatcher(listedValues: readonly unknown[]): (one: unknown) => boolean {
  const values = new Set(listedValues.map((one) => toValues(one)['value']));
  const texts = new Set(listedValues.filter((one) => toValues(one)['value'] === undefined).map(toText));
  values.delete(undefined);
  return (one) => values.has(toValues(one)['value']) || (texts.size > 0 && texts.has(toText(one)));
}

/** @returns the same text for the same members, because the database and the client order them differently */
function toText(value: unknown): string {
  return JSON.stringify(Object.entries(toValues(value)).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function toValues(value: unknown): Values {
  return isObject(value) ? { ...value } : {};
}

function findMember(members: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.entries(members).find(([own]) => own.toLowerCase() === name)?.[1];
}
