/**
 * Converts the texts among the values of a source, a provider or a form, because a directory and a form have only texts and lists of texts.
 * A text becomes a list, a number or a boolean if the schema of the attribute requires one (`ACCOUNT_SCHEMA`, or the standard attributes).
 * A text that cannot be converted is kept, and the check against the schema refuses it.
 */
import { listAttributeSchemas } from '../../config/account-schema.js';
import type { AccountSchema } from '../../config/config.js';
import { isObject } from '../../config/settings-kinds.js';

const INTEGER = /^-?\d{1,15}$/;
const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/;

type Values = Readonly<Record<string, unknown>>;

export function convertTexts(values: Values, schema: AccountSchema | undefined): Values {
  const schemas = listAttributeSchemas(schema);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, convert(value, schemas[name])]));
}

function convert(value: unknown, schema: unknown): unknown {
  const types = toTypes(schema);
  if (typeof value === 'string' && types.includes('array') && !types.includes('string')) return [convert(value, toItems(schema))];
  if (Array.isArray(value)) return types.includes('array') ? value.map((one) => convert(one, toItems(schema))) : value;
  return typeof value === 'string' && !types.includes('string') ? toScalar(value, types) : value;
}

function toScalar(text: string, types: readonly string[]): unknown {
  if (types.includes('integer') && INTEGER.test(text)) return Number(text);
  if (types.includes('number') && NUMBER.test(text)) return Number(text);
  // LDAP writes TRUE and FALSE (RFC 4517, section 3.3.3).
  if (types.includes('boolean') && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text;
}

function toTypes(schema: unknown): readonly string[] {
  const type: unknown = isObject(schema) ? schema['type'] : undefined;
  return [type].flat().filter((one) => typeof one === 'string');
}

function toItems(schema: unknown): unknown {
  return isObject(schema) ? schema['items'] : undefined;
}
