/**
 * Reads a resource that a client sends, by the table of attributes. Attributes get the spelling of the table; the client's spelling is
 * not stored. Unknown and read-only attributes are ignored (RFC 7644, sections 3.3 and 3.5.1); values of a wrong type are refused.
 */
import { isObject } from '../../config/settings-kinds.js';
import { foldText } from '../../contract/folded-text.js';
import { findSubAttribute, type AttributeTable, type ScimAttribute } from './scim-schema.js';
import { ScimRefused, invalidValue } from './scim-refused.js';

/** Values by attribute name, in the spelling of the table. */
export type ScimResource = Readonly<Record<string, unknown>>;

const MAX_TEXT_LENGTH = 2000;
/** Paths of texts that have an index, which cannot store long texts. */
const INDEXED_PATHS = ['userName', 'externalId', 'emails.value'];
const MAX_INDEXED_LENGTH = 255;
/** Case folding can make a text many times as long. */
const MAX_FOLDED_BYTES = 4 * MAX_INDEXED_LENGTH;
export const MAX_VALUES = 100;

/** @param schema the schema that the body has to name @throws ScimRefused */
export function readResource(body: unknown, table: AttributeTable, schema: string): ScimResource {
  if (!isObject(body)) throw new ScimRefused(400, 'invalidSyntax', 'The body must be a JSON object.');
  requireSchema(body, schema);
  return readAttributes(body, (name) => table.get(name), '');
}

/** @throws ScimRefused */
export function requireSchema(body: Readonly<Record<string, unknown>>, schema: string): void {
  const schemas = Object.entries(body).find(([name]) => name.toLowerCase() === 'schemas')?.[1];
  const expectedSchema = schema.toLowerCase();
  if (Array.isArray(schemas) && schemas.some((one) => typeof one === 'string' && one.toLowerCase() === expectedSchema)) return;
  throw new ScimRefused(400, 'invalidSyntax', `schemas must be a list that names ${schema}.`, 'schemas');
}

/**
 * @returns undefined for a value that unassigns the attribute: null, an empty text, or a list or object without values
 * @throws ScimRefused
 */
export function readValue(attribute: ScimAttribute, value: unknown, path: string): unknown {
  if (!attribute.multiValued) return readSingle(attribute, value, path);
  if (value === null || value === undefined) return undefined;
  const list: unknown[] = Array.isArray(value) ? value : [value];
  // Members of groups have their own limit.
  if (list.length > MAX_VALUES) throw invalidValue(path, `has more than ${MAX_VALUES} values`);
  const values = list.flatMap((one) => readSingle(attribute, one, path) ?? []);
  return values.length === 0 ? undefined : values;
}

/** Reads one value, even of an attribute that may have several. @returns undefined as in `readValue` @throws ScimRefused */
export function readSingle(attribute: ScimAttribute, value: unknown, path: string): unknown {
  if (value === null || value === undefined || value === '') return undefined;
  if (attribute.type === 'boolean') return readBoolean(value, path);
  if (attribute.type !== 'complex') return readText(value, path);
  // Entra ID sends the manager, and Okta sends some lists, as plain strings.
  if (typeof value === 'string' && findSubAttribute(attribute, 'value')) return { value: readText(value, `${path}.value`) };
  if (!isObject(value)) throw invalidValue(path, 'must be a JSON object');
  const attributes = readAttributes(value, (name) => findSubAttribute(attribute, name), `${path}.`);
  return Object.keys(attributes).length === 0 ? undefined : attributes;
}

function readAttributes(
  members: Readonly<Record<string, unknown>>,
  find: (name: string) => ScimAttribute | undefined,
  prefix: string,
): ScimResource {
  const attributes = new Map<string, unknown>();
  const seenNames = new Set<string>();
  for (const [name, value] of Object.entries(members)) {
    const attribute = find(name.toLowerCase());
    if (!attribute || attribute.mutability === 'readOnly') continue;
    const path = `${prefix}${attribute.name}`;
    if (seenNames.has(attribute.name)) throw new ScimRefused(400, 'invalidSyntax', `${path} is given twice.`, path);
    seenNames.add(attribute.name);
    const storedValue = readValue(attribute, value, path);
    if (storedValue !== undefined) attributes.set(attribute.name, storedValue);
  }
  return Object.fromEntries(attributes);
}

/** Entra ID sends "True" and "False". */
function readBoolean(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (text !== 'true' && text !== 'false') throw invalidValue(path, 'must be true or false');
  return text === 'true';
}

function readText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw invalidValue(path, 'must be a string');
  const isIndexed = INDEXED_PATHS.includes(path);
  const maxLength = isIndexed ? MAX_INDEXED_LENGTH : MAX_TEXT_LENGTH;
  if (value.length > maxLength) throw invalidValue(path, `is longer than ${maxLength} characters`);
  if (isIndexed && Buffer.byteLength(foldText(value)) > MAX_FOLDED_BYTES)
    throw invalidValue(path, 'contains characters that make it too long to be stored');
  if (isIndexed && /\p{Cc}/u.test(value)) throw invalidValue(path, 'has control characters');
  // The database stores neither NUL nor half of a surrogate pair.
  if (/[^\P{Cc}\n\r\t]/u.test(value) || !value.isWellFormed()) throw invalidValue(path, 'has characters that cannot be stored');
  return value;
}

/** @returns the values of an attribute with several values; an empty list if the attribute is absent */
export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
