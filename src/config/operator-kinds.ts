/** The kind of value for the named tokens of the operator API. */
import { OPERATOR_RIGHTS, type OperatorToken } from './value-types.js';
import { jsonList, type EntryFault } from './json-list.js';
import { token, type Kind } from './settings-kinds.js';

/** Length of the longest token that the operator API reads from the header. */
const MAX_TOKEN_LENGTH = 1024;

const FAULTS: readonly EntryFault[] = [
  {
    text: 'has no name of lower-case letters, digits and hyphens',
    applies: ({ name }) => typeof name !== 'string' || !/^[a-z][a-z0-9-]{0,31}$/.test(name),
  },
  {
    text: `has rights that are not among ${OPERATOR_RIGHTS.join(', ')}`,
    applies: ({ rights }) => !OPERATOR_RIGHTS.some((known) => known === rights),
  },
  {
    text: 'has no token of ASCII characters without spaces',
    applies: ({ token: given }) => typeof given !== 'string' || given.length > MAX_TOKEN_LENGTH || 'fault' in token.read(given),
  },
];

/** A JSON list of tokens, each with the name of its holder and what it may do. */
export const operatorTokens: Kind<readonly OperatorToken[]> = jsonList(
  {
    items: 'tokens',
    members: ['name', 'rights', 'token'],
    faults: FAULTS,
    unique: { member: 'name', fault: (name) => `has the name ${name} twice` },
  },
  (entry) => entry as unknown as OperatorToken,
);
