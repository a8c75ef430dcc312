/**
 * The supported attributes of people and groups (RFC 7643, sections 4.1 to 4.3). Other attributes in a resource are ignored.
 * `GET /scim/v2/Schemas` returns `SCHEMAS`.
 */

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

export interface ScimAttribute {
  name: string;
  type: 'string' | 'boolean' | 'reference' | 'complex';
  multiValued: boolean;
  description: string;
  required: boolean;
  caseExact: boolean;
  mutability: 'readOnly' | 'readWrite' | 'immutable' | 'writeOnly';
  returned: 'always' | 'default' | 'never';
  uniqueness: 'none' | 'server';
  subAttributes?: readonly ScimAttribute[];
  canonicalValues?: readonly string[];
  referenceTypes?: readonly string[];
}

type Options = Partial<Omit<ScimAttribute, 'name' | 'description'>>;

function attribute(name: string, description: string, options: Options = {}): ScimAttribute {
  const defaults = { type: 'string', multiValued: false, required: false, caseExact: false } as const;
  return { name, description, ...defaults, mutability: 'readWrite', returned: 'default', uniqueness: 'none', ...options };
}

function complexAttribute(
  name: string,
  description: string,
  options: Options & Required<Pick<Options, 'subAttributes'>>,
): ScimAttribute {
  return attribute(name, description, { type: 'complex', ...options });
}

/** A list of values with a type; one of the values may be the primary value (RFC 7643, section 2.4). */
function pluralAttribute(
  name: string,
  description: string,
  { types = [], value = {} }: { types?: readonly string[]; value?: Options } = {},
): ScimAttribute {
  const subAttributes = [
    attribute('value', 'The value.', value),
    attribute('display', 'A name that people can read.'),
    attribute('type', 'The purpose of the value.', types.length > 0 ? { canonicalValues: types } : {}),
    attribute('primary', 'Whether this is the preferred value.', { type: 'boolean' }),
  ];
  return complexAttribute(name, description, { subAttributes, multiValued: true });
}

const EXTERNAL_REFERENCE = { type: 'reference', referenceTypes: ['external'], caseExact: true } as const;

/** An attribute of every resource, which a client may write (RFC 7643, section 3.1). It is not part of a schema. */
const EXTERNAL_ID = attribute('externalId', 'The id of the resource at the client.', { caseExact: true });

const USER: readonly ScimAttribute[] = [
  attribute('userName', 'The username of the account.', { required: true, uniqueness: 'server' }),
  complexAttribute('name', 'The parts of the name.', {
    subAttributes: [
      attribute('formatted', 'The full name.'),
      attribute('familyName', 'The family name.'),
      attribute('givenName', 'The given name.'),
      attribute('middleName', 'The middle names.'),
      attribute('honorificPrefix', 'The title before the name.'),
      attribute('honorificSuffix', 'The suffix after the name.'),
    ],
  }),
  attribute('displayName', 'The name that people see.'),
  attribute('nickName', 'The nickname.'),
  attribute('profileUrl', 'A page about the person.', EXTERNAL_REFERENCE),
  attribute('title', 'The job title.'),
  attribute('userType', 'The kind of employment.'),
  attribute('preferredLanguage', 'The language of pages and mails.'),
  attribute('locale', 'The language, if there is no preferredLanguage.'),
  attribute('timezone', 'The time zone, by its IANA name.'),
  attribute('active', 'Whether the person may sign in; true by default for a new person.', {
    type: 'boolean',
    required: true,
  }),
  attribute('password', 'The password, if people of the source have a password here.', {
    mutability: 'writeOnly',
    returned: 'never',
  }),
  pluralAttribute('emails', 'E-mail addresses; the primary address is the address of the account.', {
    types: ['work', 'home', 'other'],
  }),
  pluralAttribute('phoneNumbers', 'Phone numbers.', { types: ['work', 'home', 'mobile', 'fax', 'pager', 'other'] }),
  pluralAttribute('ims', 'Addresses of instant messengers.'),
  pluralAttribute('photos', 'Pictures.', { types: ['photo', 'thumbnail'], value: EXTERNAL_REFERENCE }),
  complexAttribute('addresses', 'Postal addresses.', {
    multiValued: true,
    subAttributes: [
      ...['formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country'].map((name) =>
        attribute(name, 'A part of the address.'),
      ),
      attribute('type', 'The purpose of the address.', { canonicalValues: ['work', 'home', 'other'] }),
      attribute('primary', 'Whether this is the preferred address.', { type: 'boolean' }),
    ],
  }),
  complexAttribute('groups', 'The groups of the person. Change them through the groups.', {
    multiValued: true,
    mutability: 'readOnly',
    subAttributes: [
      attribute('value', 'The id of the group.', { mutability: 'readOnly' }),
      attribute('$ref', 'The address of the group.', { type: 'reference', referenceTypes: ['Group'], mutability: 'readOnly' }),
      attribute('display', 'The name of the group.', { mutability: 'readOnly' }),
      attribute('type', 'Always direct.', { canonicalValues: ['direct'], mutability: 'readOnly' }),
    ],
  }),
  pluralAttribute('entitlements', 'The entitlements of the person.'),
  pluralAttribute('roles', 'The roles of the person. They do not make the person an operator.'),
];

const ENTERPRISE: readonly ScimAttribute[] = [
  attribute('employeeNumber', 'The number of the employee.'),
  attribute('costCenter', 'The cost centre.'),
  attribute('organization', 'The organisation.'),
  attribute('division', 'The division.'),
  attribute('department', 'The department.'),
  complexAttribute('manager', 'The manager.', {
    subAttributes: [
      attribute('value', 'The id of the manager.'),
      attribute('$ref', 'The address of the manager.', { type: 'reference', referenceTypes: ['User'] }),
      attribute('displayName', 'The name of the manager.', { mutability: 'readOnly' }),
    ],
  }),
];

const GROUP: readonly ScimAttribute[] = [
  attribute('displayName', 'The name of the group.', { required: true, uniqueness: 'server' }),
  complexAttribute('members', 'People of the same source.', {
    multiValued: true,
    subAttributes: [
      attribute('value', 'The id of the person.', { mutability: 'immutable' }),
      attribute('$ref', 'The address of the person.', { type: 'reference', referenceTypes: ['User'], mutability: 'immutable' }),
      attribute('type', 'Always User.', { canonicalValues: ['User'], mutability: 'immutable' }),
    ],
  }),
];

export interface ScimSchema {
  id: string;
  name: string;
  description: string;
  attributes: readonly ScimAttribute[];
}

export const SCHEMAS: readonly ScimSchema[] = [
  { id: USER_SCHEMA, name: 'User', description: 'A person.', attributes: USER },
  { id: ENTERPRISE_SCHEMA, name: 'EnterpriseUser', description: 'A person as an employee.', attributes: ENTERPRISE },
  { id: GROUP_SCHEMA, name: 'Group', description: 'A group of people.', attributes: GROUP },
];

/** The attributes of a resource by their names in lower case: names are not case-sensitive (RFC 7643, section 2.1). */
export type AttributeTable = ReadonlyMap<string, ScimAttribute>;

function toTable(attributes: readonly ScimAttribute[]): AttributeTable {
  return new Map(attributes.map((one) => [one.name.toLowerCase(), one]));
}

/** An extension is an attribute of the resource, with the id of its schema as its name. */
const EXTENSION = complexAttribute(ENTERPRISE_SCHEMA, 'A person as an employee.', { subAttributes: ENTERPRISE });

export const USER_ATTRIBUTES = toTable([EXTERNAL_ID, ...USER, EXTENSION]);
export const GROUP_ATTRIBUTES = toTable([EXTERNAL_ID, ...GROUP]);

export function findSubAttribute(parent: ScimAttribute, name: string): ScimAttribute | undefined {
  const key = name.toLowerCase();
  return parent.subAttributes?.find((one) => one.name.toLowerCase() === key);
}
