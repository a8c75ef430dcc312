/**
 * `ACCOUNT_SCHEMA`: a JSON Schema (draft 2020-12) of the attributes that accounts may have, in addition to the standard attributes
 * of every installation (OpenID Connect Core, section 5.1).
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { AccountSchema } from './value-types.js';
import { fromJson, isObject, type Kind } from './settings-kinds.js';

/** A fault of an attribute. `pointer` is a JSON Pointer (RFC 6901) into the attributes; empty for the attributes as a whole. */
export interface AttributeFault {
  pointer: string;
  message: string;
}

const TEXT = { type: 'string', minLength: 1 };

/** Attributes with the names and formats of standard claims, without the members of every account (`ACCOUNT_MEMBERS`). */
const STANDARD_SCHEMAS: Readonly<Record<string, unknown>> = {
  given_name: TEXT,
  family_name: TEXT,
  middle_name: TEXT,
  nickname: TEXT,
  profile: { type: 'string', format: 'uri' },
  website: { type: 'string', format: 'uri' },
  gender: TEXT,
  // A date without a year begins with 0000; a year alone is allowed.
  birthdate: { type: 'string', pattern: '^\\d{4}(-\\d{2}-\\d{2})?$' },
  zoneinfo: TEXT,
  phone_number: TEXT,
  phone_number_verified: { type: 'boolean' },
  address: {
    type: 'object',
    properties: { formatted: TEXT, street_address: TEXT, locality: TEXT, region: TEXT, postal_code: TEXT, country: TEXT },
    additionalProperties: false,
    minProperties: 1,
  },
};

const STANDARD_ATTRIBUTES: readonly string[] = Object.keys(STANDARD_SCHEMAS);

/** The members of every account. No attribute may have one of these names. */
export const ACCOUNT_MEMBERS = [
  'id',
  'username',
  'display_name',
  'email',
  'email_verified',
  'picture',
  'language',
  'group_name',
  'groups',
  'updated_at',
] as const;

/** Adds the standard attributes to a schema, which may restrict them further. */
function addStandardAttributes(schema: AccountSchema): Record<string, unknown> {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  return { additionalProperties: false, ...schema, type: 'object', properties: { ...STANDARD_SCHEMAS, ...properties } };
}

/** @returns the schemas of all attributes by name, including the standard attributes */
export function listAttributeSchemas(schema: AccountSchema = {}): Readonly<Record<string, unknown>> {
  const { properties } = addStandardAttributes(schema);
  return isObject(properties) ? properties : {};
}

/** @returns the names of the attributes in the top-level `required` of the schema */
export function listRequiredAttributes(schema: AccountSchema = {}): string[] {
  const names: unknown = schema['required'];
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

/** @returns the names that the schema does not contain, each once; an empty list if the schema may allow other names */
export function findUnknownAttributes(names: readonly string[], schema: AccountSchema = {}): string[] {
  const { properties = {}, additionalProperties, patternProperties, ...rest } = schema;
  if ((additionalProperties ?? false) !== false || patternProperties !== undefined || '$ref' in rest || 'allOf' in rest)
    return [];
  const schemaNames = new Set([...STANDARD_ATTRIBUTES, ...Object.keys(isObject(properties) ? properties : {})]);
  return [...new Set(names)].filter((name) => !schemaNames.has(name));
}

/** Creates a function that validates attributes. @throws Error that explains what is wrong with the schema */
export function compileSchema(schema: AccountSchema = {}): (attributes: unknown) => AttributeFault | null {
  // Validation stops at the first fault, so that a value cannot cause unlimited work.
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictTuples: false,
    allowUnionTypes: true,
    // Every object has a member such as `constructor`, which is not an attribute.
    ownProperties: true,
    logger: false,
    // The check of the schema itself is most of the work, and only an operator's schema needs it.
    validateSchema: Object.keys(schema).length > 0,
  });
  addFormats.default(ajv);
  const validate: ValidateFunction = ajv.compile(addStandardAttributes(schema));
  return (attributes) => {
    if (validate(attributes)) return null;
    const [error] = validate.errors ?? [];
    return error ? explainFault(error) : null;
  };
}

/** Explains a validation error. The pointer includes the name of a missing or unknown member. */
function explainFault({ instancePath, params, message = 'is not allowed' }: ErrorObject): AttributeFault {
  const { missingProperty, additionalProperty } = params as Record<string, unknown>;
  const member = missingProperty ?? additionalProperty;
  if (typeof member !== 'string') return { pointer: instancePath, message };
  const pointer = `${instancePath}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return { pointer, message: missingProperty === undefined ? 'is not in the schema' : 'is missing' };
}

export const accountSchema: Kind<AccountSchema> = {
  label: 'JSON Schema',
  read: (value) =>
    fromJson(value, (parsed) => {
      const fault = findSchemaFault(parsed);
      return fault === null ? { value: parsed as AccountSchema } : { fault };
    }),
};

/** @returns a phrase that follows the name of the setting, or null */
function findSchemaFault(parsed: unknown): string | null {
  if (!isObject(parsed)) return 'is not a JSON object';
  const { properties = {}, type = 'object' } = parsed;
  if (type !== 'object') return 'does not describe an object';
  if ('$async' in parsed) return 'must not be asynchronous ($async)';
  if (!isObject(properties)) return 'has properties that are not a JSON object';
  const reservedName = Object.keys(properties).find(
    (name) => ACCOUNT_MEMBERS.some((member) => member === name) || name === '__proto__',
  );
  if (reservedName === '__proto__') return 'has the property __proto__, which cannot be an attribute: the name is reserved';
  if (reservedName !== undefined)
    return `has the property ${reservedName}, which cannot be an attribute: every account already has this member`;
  try {
    compileSchema(parsed);
    return null;
  } catch (error) {
    return `is not a JSON Schema (draft 2020-12): ${error instanceof Error ? error.message : 'it cannot be compiled'}`;
  }
}
