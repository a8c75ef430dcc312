/** Converts a person of a SCIM source to the values of an account (docs/scim.md has the table). */
import { listAttributeSchemas, type AttributeFault } from '../../config/account-schema.js';
import type { AccountSchema } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { isObject } from '../../config/settings-kinds.js';
import type { ScimSettings } from '../../config/source-settings.js';
import { findNearestLocale, type Locale } from '../../contract/locale.js';
import type { Account, AccountPatch, Attributes } from '../account/account.js';
import { AttributeInvalid, type AccountError } from '../account/account.errors.js';
import { toEmailKey } from '../account/fields.js';
import { convertTexts } from '../attributes/texts-as-attributes.js';
import { ENTERPRISE_SCHEMA } from './scim-schema.js';
import { toList, type ScimResource } from './scim-resource.js';
import { invalidValue, notUnique, type ScimRefused } from './scim-refused.js';

/** The settings of the installation that determine the values. */
export interface ValueRules {
  source: ScimSettings;
  schema: AccountSchema | undefined;
  locales: readonly Locale[];
}

export interface ScimValues {
  username: string;
  displayName?: string;
  email?: string;
  emailVerified?: boolean;
  language?: Locale;
  attributes: Readonly<Record<string, unknown>>;
}

/** Standard attributes, and the SCIM paths that fill them. */
const STANDARD_PATHS: Readonly<Record<string, string>> = {
  given_name: 'name.givenName',
  family_name: 'name.familyName',
  middle_name: 'name.middleName',
  nickname: 'nickName',
  profile: 'profileUrl',
  zoneinfo: 'timezone',
};
const ADDRESS_PARTS: Readonly<Record<string, string>> = {
  formatted: 'formatted',
  street_address: 'streetAddress',
  locality: 'locality',
  region: 'region',
  postal_code: 'postalCode',
  country: 'country',
};

export function toValues(resource: ScimResource, { source, schema, locales }: ValueRules): ScimValues {
  const email = findEmail(resource);
  return {
    username: toText(resource['userName']) ?? '',
    ...defined({ displayName: findDisplayName(resource) }),
    ...defined({ email }),
    ...(email !== undefined && source.emailVerified ? { emailVerified: true } : {}),
    ...defined({ language: findLanguage(resource, locales) }),
    attributes: convertTexts(toAttributes(resource, source, schema), schema),
  };
}

/** @returns the address of the account: the primary address, else the first work address, else the first address */
export function findEmail(resource: ScimResource): string | undefined {
  return toText(findPreferred(resource['emails'])?.['value']);
}

/** @returns the keys of all addresses, for filters */
export function toEmailKeys(resource: ScimResource): string[] {
  const values = toList(resource['emails']).flatMap((one) => toText(isObject(one) ? one['value'] : undefined) ?? []);
  return [...new Set(values.map(toEmailKey))];
}

function findDisplayName(resource: ScimResource): string | undefined {
  const parts = [findText(resource, 'name.givenName'), findText(resource, 'name.familyName')].filter((one) => one !== undefined);
  return (
    findText(resource, 'displayName') ?? findText(resource, 'name.formatted') ?? (parts.length > 0 ? parts.join(' ') : undefined)
  );
}

/**
 * Finds a language that the installation offers. The header form `de-AT,de;q=0.8` is allowed (RFC 7643, section 4.1.1), but only its first
 * language counts.
 */
function findLanguage(resource: ScimResource, locales: readonly Locale[]): Locale | undefined {
  const [language] = (findText(resource, 'preferredLanguage') ?? findText(resource, 'locale') ?? '').split(/[,;]/, 1);
  return language === undefined || language === '' ? undefined : findNearestLocale(language.trim().replaceAll('_', '-'), locales);
}

function toAttributes(resource: ScimResource, source: ScimSettings, schema: AccountSchema | undefined): Record<string, unknown> {
  const allowedSchemas = listAttributeSchemas(schema);
  const standardValues = {
    ...Object.fromEntries(Object.entries(STANDARD_PATHS).map(([name, path]) => [name, findText(resource, path)])),
    phone_number: toText(findPreferred(resource['phoneNumbers'])?.['value'])?.replace(/^tel:/i, ''),
    address: toAddress(findPreferred(resource['addresses'])),
  };
  // `false` in ACCOUNT_SCHEMA means that accounts do not have this attribute.
  const allowedValues = Object.entries(standardValues).filter(
    ([name]) => allowedSchemas[name] !== undefined && allowedSchemas[name] !== false,
  );
  const mappedValues = Object.entries(source.attributes).map(([name, path]) => [name, findText(resource, path)] as const);
  return Object.fromEntries([...allowedValues, ...mappedValues].filter(([, value]) => value !== undefined));
}

function toAddress(address: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> | undefined {
  const parts = Object.entries(ADDRESS_PARTS).flatMap(([name, scimName]) => {
    const value = toText(address?.[scimName]);
    return value === undefined ? [] : [[name, value] as const];
  });
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}

/** @param path path of an attribute with one value, as in `MAPPABLE_PATHS` */
function findText(resource: ScimResource, path: string): string | undefined {
  const isExtension = path.startsWith(`${ENTERPRISE_SCHEMA}:`);
  const holder = isExtension ? resource[ENTERPRISE_SCHEMA] : resource;
  const [name = '', part] = (isExtension ? path.slice(ENTERPRISE_SCHEMA.length + 1) : path).split('.');
  const value = isObject(holder) ? holder[name] : undefined;
  return toText(part === undefined ? value : isObject(value) ? value[part] : undefined);
}

function findPreferred(list: unknown): Readonly<Record<string, unknown>> | undefined {
  const values = toList(list).filter(isObject);
  return values.find((one) => one['primary'] === true) ?? values.find((one) => one['type'] === 'work') ?? values[0];
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/**
 * Builds the patch that gives the account to another person: values of the person before that the source does not send are removed.
 * An address that the source sends unchanged is no longer verified, because the other person has not proven it, unless the source is
 * trusted for addresses.
 * @param findFault `AccountAttributes.findFault`
 */
export function toOtherPersonPatch(account: Account, newValues: ScimValues, findFault: FindFault): AccountPatch {
  const { username, displayName, email, emailVerified, language, picture } = account;
  const attributes = findRemovable(account.attributes, newValues.attributes, findFault);
  const formerValues = { username, displayName, ...defined({ email, language }), attributes };
  const isUnproven = emailVerified && newValues.email === email && newValues.emailVerified !== true;
  return {
    ...toPatch(account, formerValues, newValues),
    ...(isUnproven ? { emailVerified: false } : {}),
    ...(picture === undefined ? {} : { picture: null }),
  };
}

type FindFault = (attributes: Attributes) => AttributeFault | null;

/**
 * @returns the former attributes without which the others still satisfy ACCOUNT_SCHEMA: all if possible, otherwise one after the other,
 *   because a refused removal would also undo the removal of credentials. Those that do not satisfy it any more are removed too.
 */
function findRemovable(formerAttributes: Attributes, newAttributes: Attributes, findFault: FindFault): Attributes {
  if (findFault(newAttributes) === null) return formerAttributes;
  let keptAttributes: Attributes = { ...formerAttributes, ...newAttributes };
  const removedAttributes: Record<string, unknown> = {};
  const findNext = (): string | undefined => {
    const fault = findFault(keptAttributes);
    const error = fault && new AttributeInvalid(fault);
    const formerNames = Object.keys(keptAttributes).filter((name) => newAttributes[name] === undefined);
    return formerNames.find((name) => error?.isAt(name) || findFault(omit(keptAttributes, name)) === null);
  };
  for (let name = findNext(); name !== undefined; name = findNext()) {
    removedAttributes[name] = keptAttributes[name];
    keptAttributes = omit(keptAttributes, name);
  }
  return removedAttributes;
}

function omit(attributes: Attributes, name: string): Attributes {
  const { [name]: _, ...rest } = attributes;
  return rest;
}

/**
 * @param formerValues the previous values from the source. A value that the source has removed is removed here, except that the username
 *   replaces a removed display name; a value that the source never had stays.
 * @returns the values to write, which also replace changes that were made here
 */
export function toPatch(account: Account, formerValues: ScimValues, newValues: ScimValues): AccountPatch {
  const removedNames = Object.keys(formerValues.attributes).filter((name) => newValues.attributes[name] === undefined);
  const displayName = newValues.displayName ?? (formerValues.displayName === undefined ? undefined : newValues.username);
  return {
    ...(newValues.username === account.username ? {} : { username: newValues.username }),
    ...defined({ displayName }),
    ...toEmailPatch(account, formerValues, newValues),
    ...toLanguagePatch(account, formerValues, newValues),
    attributes: { ...Object.fromEntries(removedNames.map((name) => [name, null])), ...newValues.attributes },
  };
}

function toEmailPatch(account: Account, formerValues: ScimValues, { email, emailVerified }: ScimValues): AccountPatch {
  if (email === undefined) return formerValues.email === undefined ? {} : { email: null };
  const isSame = email === account.email;
  // If an unchanged address were written again, it would become a new, unverified address.
  return {
    ...(isSame ? {} : { email }),
    ...(emailVerified === true && !(isSame && account.emailVerified) ? { emailVerified } : {}),
  };
}

function toLanguagePatch(account: Account, formerValues: ScimValues, { language }: ScimValues): AccountPatch {
  if (language === undefined) return formerValues.language === undefined ? {} : { language: null };
  return language === account.language ? {} : { language };
}

/** The fields of an account, and their names in SCIM. */
const FIELDS: Readonly<Record<string, string>> = {
  username: 'userName',
  email: 'emails',
  subject: 'externalId',
  displayName: 'displayName',
  groups: 'displayName',
  language: 'preferredLanguage',
};

/** Reveals nothing about the account that already has the value. */
export function toRefusal(error: AccountError, { attributes }: ScimSettings): ScimRefused {
  const field = FIELDS[error.field] ?? error.field;
  if (['username-taken', 'email-taken', 'subject-taken'].includes(error.code))
    return notUnique(
      field,
      error.field === 'username' ? 'cannot be used: it is taken, reserved or too similar to another username' : 'is taken',
    );
  if (!('pointer' in error) || typeof error.pointer !== 'string')
    return invalidValue(field, `is refused: ${error.message}`.replace(/\.$/, ''));
  const name = error.pointer.split('/')[1] ?? '';
  const paths = { ...STANDARD_PATHS, phone_number: 'phoneNumbers', address: 'addresses', ...attributes };
  const path = new Map<string, string>(Object.entries(paths)).get(name) ?? name;
  return invalidValue(path, `does not match ACCOUNT_SCHEMA: ${error.message}`.replace(/\.$/, ''));
}
