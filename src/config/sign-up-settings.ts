/** The forms of the sign-up, of invitations and of missing attributes: their fields, and the rules of their settings. */
import { listAttributeSchemas, listRequiredAttributes } from './account-schema.js';
import type { Config } from './config.js';
import type { SettingValues } from './settings.js';
import { isObject } from './settings-kinds.js';
import type { AccountSchema, OperatorRule, SignUpField, SignUpSettings } from './value-types.js';

interface Input {
  values: SettingValues;
  isSet: (name: string) => boolean;
}

const SCALARS: readonly unknown[] = ['string', 'integer', 'number', 'boolean'];
const SIGN_UP_SETTINGS = [
  'SIGN_UP_FIELDS',
  'SIGN_UP_DOMAINS',
  'SIGN_UP_DOMAINS_DENIED',
  'SIGN_UP_CODES_PER_HOUR',
  'SIGN_UP_WORK',
  'SIGN_UP_WORK_COST',
];

const APPROVAL_SETTINGS = ['SIGN_UP_APPROVAL_DAYS', 'SIGN_UP_MAX_WAITING'];

/** Whether people create their accounts here, with or without the approval of an operator. */
export const isOwnSignUp = (mode: SettingValues['registration']['mode']): mode is 'own' | 'own-with-approval' =>
  mode === 'own' || mode === 'own-with-approval';

/** More fields may not fit into the cookie that stores them until the account is created. */
const MAX_FIELDS = 12;

export function toSignUp({ registration, accounts, login }: SettingValues): SignUpSettings {
  const { mode, signUpFields, signUpDomains, signUpDomainsDenied, signUpCodesPerHour, signUpWork, signUpWorkCost } = registration;
  const approval = { days: registration.signUpApprovalDays, maxWaiting: registration.signUpMaxWaiting };
  const names = signUpFields ?? (login.identifiers === 'username' ? ['username', 'display_name'] : ['display_name']);
  const requiredNames = listRequiredAttributes(accounts.schema);
  return {
    fields: [...new Set([...names, ...requiredNames])].flatMap(
      (name) => toField(name, { schema: accounts.schema, requiredNames }) ?? [],
    ),
    domains: signUpDomains,
    deniedDomains: signUpDomainsDenied,
    codesPerHour: signUpCodesPerHour,
    ...(mode === 'own-with-approval' ? { approval } : {}),
    ...(signUpWork === 'on' ? { workCost: signUpWorkCost } : {}),
  };
}

/** @returns the fields for the attributes that the schema requires, and for which a form can ask */
export function listRequiredFields(schema: AccountSchema | undefined): SignUpField[] {
  const requiredNames = listRequiredAttributes(schema);
  return requiredNames.flatMap((name) => toField(name, { schema, requiredNames }) ?? []);
}

/**
 * With `MISSING_FIELDS=ask`, a form must be able to ask for everything that the schema requires, and the schema must not require a
 * value that others trust.
 */
export function checkMissingFields({ values: { tasks, accounts, operator } }: Pick<Input, 'values'>): { faults: string[] } {
  if (tasks.missingFields === 'off') return { faults: [] };
  const { schema } = accounts;
  const requiredNames = listRequiredAttributes(schema);
  const faults = requiredNames
    .filter((name) => toField(name, { schema, requiredNames }) === null)
    .map((name) => `MISSING_FIELDS: ACCOUNT_SCHEMA requires ${name}, which a form cannot ask for`);
  return { faults: [...faults, ...findTrustedFaults({ names: [], requiredNames }, operator.rules)] };
}

/**
 * @returns the fields that invited people fill in, if the invitation does not have them; without attributes that only an operator may
 * choose, and those that a form cannot ask for
 */
export function listInvitationFields(config: Pick<Config, 'accounts' | 'login' | 'operator' | 'registration'>): SignUpField[] {
  const { accounts, login, operator, registration } = config;
  const requiredNames = listRequiredAttributes(accounts.schema);
  const chosenFields = registration.signUp?.fields ?? registration.invitationFields;
  const names = chosenFields?.map(({ name }) => name) ?? [
    ...(login.byEmail ? [] : ['username']),
    ...['display_name', ...requiredNames],
  ];
  const trustedAttributes = listTrustedAttributes(operator.rules);
  return [...new Set(names)]
    .filter((name) => !trustedAttributes.has(name))
    .flatMap((name) => toField(name, { schema: accounts.schema, requiredNames }) ?? []);
}

export function checkSignUp({ values, isSet }: Input): { faults: string[] } {
  const { registration, operator } = values;
  const { mode, signUpFields: names = [] } = registration;
  const approvalFaults =
    mode === 'own-with-approval'
      ? []
      : APPROVAL_SETTINGS.filter(isSet).map((name) => `${name}: requires REGISTRATION=own-with-approval`);
  if (isOwnSignUp(mode)) return { faults: [...approvalFaults, ...findOwnFaults({ values, isSet })] };
  const isInvitation = mode === 'invitation';
  const unusedNames = SIGN_UP_SETTINGS.filter((name) => isSet(name) && !(isInvitation && name === 'SIGN_UP_FIELDS'));
  const fieldFaults = [...findFieldFaults({ values, isSet }), ...findTrustedFaults({ names, requiredNames: [] }, operator.rules)];
  return {
    faults: [
      ...unusedNames.map((name) => {
        const modes = name === 'SIGN_UP_FIELDS' ? 'own, own-with-approval or invitation' : 'own or own-with-approval';
        return `${name}: requires REGISTRATION=${modes}`;
      }),
      ...approvalFaults,
      ...(isInvitation ? fieldFaults : []),
    ],
  };
}

function findOwnFaults({ values, isSet }: Input): string[] {
  const { registration, accounts, hydra, operator } = values;
  const { mode, signUpFields: names = [] } = registration;
  const { schema } = accounts;
  const requiredNames = listRequiredAttributes(schema);
  const faults = [
    ...findFieldFaults({ values, isSet }),
    ...requiredNames
      .filter((name) => toField(name, { schema, requiredNames }) === null)
      .map((name) => `ACCOUNT_SCHEMA: requires ${name}, which the sign-up form cannot ask for`),
    ...findTrustedFaults({ names, requiredNames }, operator.rules),
  ];
  if (toSignUp(values).fields.length > MAX_FIELDS)
    faults.push(`SIGN_UP_FIELDS: the form may have at most ${MAX_FIELDS} fields, including those that ACCOUNT_SCHEMA requires`);
  if (registration.signUpWork === 'off' && isSet('SIGN_UP_WORK_COST')) faults.push('SIGN_UP_WORK_COST: requires SIGN_UP_WORK=on');
  if (!isSet('SMTP_URL') && hydra.adminUrl !== undefined)
    faults.push(`REGISTRATION: ${mode} requires SMTP_URL, because a mailed code proves the address`);
  return faults;
}

/** @returns a fault for each name of `SIGN_UP_FIELDS` for which a form cannot ask */
function findFieldFaults({ values, isSet }: Input): string[] {
  const { registration, accounts } = values;
  const { signUpFields = [] } = registration;
  const { schema } = accounts;
  // If the schema has a fault, its attributes are not known.
  if (schema === undefined && isSet('ACCOUNT_SCHEMA')) return [];
  const requiredNames = listRequiredAttributes(schema);
  return signUpFields
    .filter((name) => toField(name, { schema, requiredNames }) === null)
    .map(
      (name) =>
        `SIGN_UP_FIELDS: ${name} is neither username, display_name nor an attribute with one text, number or boolean (ACCOUNT_SCHEMA)`,
    );
}

/** @returns a fault for each field whose value others trust, so that strangers must not choose it */
function findTrustedFaults(
  { names, requiredNames }: { names: readonly string[]; requiredNames: readonly string[] },
  rules: readonly OperatorRule[],
): string[] {
  const grantingAttributes = listGrantingAttributes(rules);
  const explain = (name: string): string | null => {
    if (grantingAttributes.has(name))
      return `${name}, which grants rights of operators (OPERATORS): strangers must not choose it`;
    return name === 'phone_number_verified'
      ? `${name}, which tells apps that a number is proven: strangers must not choose it`
      : null;
  };
  const findFaults = (setting: string, fields: readonly string[]): string[] =>
    fields.flatMap((name) => explain(name) ?? []).map((fault) => `${setting} ${fault}`);
  return [...findFaults('SIGN_UP_FIELDS: asks for', names), ...findFaults('ACCOUNT_SCHEMA: requires', requiredNames)];
}

function listGrantingAttributes(rules: readonly OperatorRule[]): Set<string> {
  return new Set(rules.flatMap((rule) => ('attribute' in rule ? [rule.attribute] : [])));
}

/** Attributes whose values others trust. */
function listTrustedAttributes(rules: readonly OperatorRule[]): Set<string> {
  return listGrantingAttributes(rules).add('phone_number_verified');
}

/** @returns null for a value that the form cannot ask for */
function toField(
  name: string,
  { schema, requiredNames }: { schema: AccountSchema | undefined; requiredNames: readonly string[] },
): SignUpField | null {
  if (name === 'username') return { name, kind: 'text', isRequired: true };
  if (name === 'display_name') return { name, kind: 'text', isRequired: false };
  const schemas = listAttributeSchemas(schema);
  const attributeSchema: unknown = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  if (!isObject(attributeSchema) || !SCALARS.includes(attributeSchema['type'])) return null;
  const options = Array.isArray(attributeSchema['enum']) ? attributeSchema['enum'].map(String) : undefined;
  const title = attributeSchema['title'];
  return {
    name,
    kind: attributeSchema['type'] === 'boolean' ? 'flag' : options ? 'choice' : 'text',
    isRequired: requiredNames.includes(name),
    ...(options ? { options } : {}),
    ...(typeof title === 'string' ? { label: title } : {}),
  };
}
