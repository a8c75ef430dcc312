/** The kinds of values for the named tokens of the operator API, and for operators by group or attribute. */
import { findUnknownAttributes } from './account-schema.js';
import { OPERATOR_RIGHTS, type AccountSchema, type OperatorRule, type OperatorToken } from './value-types.js';
import { jsonList, type EntryFault } from './json-list.js';
import { MAX_OPERATOR_TOKEN_LENGTH, operatorToken, type Kind } from './settings-kinds.js';

const TOKEN_FAULTS: readonly EntryFault[] = [
  {
    text: 'has no name of at most 32 lower-case letters, digits and hyphens that begins with a letter',
    applies: ({ name }) => typeof name !== 'string' || !/^[a-z][a-z0-9-]{0,31}$/.test(name),
  },
  {
    text: `has rights that are not among ${OPERATOR_RIGHTS.join(', ')}`,
    applies: ({ rights }) => !isRight(rights),
  },
  {
    text: `has no token of at most ${MAX_OPERATOR_TOKEN_LENGTH} ASCII characters without spaces`,
    applies: ({ token }) => typeof token !== 'string' || 'fault' in operatorToken.read(token),
  },
];

/** A JSON list of tokens, each with the name of its holder and its rights. */
export const operatorTokens: Kind<readonly OperatorToken[]> = jsonList(
  {
    items: 'tokens',
    members: ['name', 'rights', 'token'],
    faults: TOKEN_FAULTS,
    unique: { member: 'name', fault: (name) => `has the name ${name} twice` },
  },
  (entry) => entry as unknown as OperatorToken,
);

const RULE_FAULTS: readonly EntryFault[] = [
  {
    text: `has a right that is not one of ${OPERATOR_RIGHTS.join(', ')}`,
    applies: ({ right }) => !isRight(right),
  },
  {
    text: 'has neither a group nor an attribute, or both',
    applies: ({ group, attribute }) => (group === undefined) === (attribute === undefined),
  },
  { text: 'has a group that is not a name', applies: ({ group }) => group !== undefined && !isName(group) },
  { text: 'has an attribute that is not a name', applies: ({ attribute }) => attribute !== undefined && !isName(attribute) },
  {
    text: 'has an attribute without a value that is a string, a number or true or false',
    applies: ({ attribute, value }) => attribute !== undefined && !['string', 'number', 'boolean'].includes(typeof value),
  },
  { text: 'has a value without an attribute', applies: ({ attribute, value }) => attribute === undefined && value !== undefined },
];

/** A JSON list of rules that make accounts operators. */
export const operatorRules: Kind<readonly OperatorRule[]> = jsonList(
  { items: 'rules', members: ['group', 'attribute', 'value', 'right'], faults: RULE_FAULTS },
  (entry) => entry as unknown as OperatorRule,
);

/** @returns a fault for each attribute that no account can have */
export function findOperatorFaults(rules: readonly OperatorRule[], schema?: AccountSchema): string[] {
  const names = rules.flatMap((rule) => ('attribute' in rule ? [rule.attribute] : []));
  return findUnknownAttributes(names, schema).map((name) => `OPERATORS: the attribute ${name} is not in ACCOUNT_SCHEMA`);
}

function isRight(value: unknown): boolean {
  return OPERATOR_RIGHTS.some((right) => right === value);
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && !value.includes('\u0000');
}
