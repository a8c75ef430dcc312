/** The kind of value for the named tokens of the operator API. */
import { OPERATOR_RIGHTS } from './config.js';
import type { OperatorToken } from './config.js';
import { fromJson, isObject, token } from './settings-kinds.js';
import type { Kind, Reading } from './settings-kinds.js';

const MEMBERS = ['name', 'rights', 'token'];
/** The longest that the header is read for. */
const TOKEN_LENGTH = 1024;

/** A JSON list of tokens, each with the name of its holder and what it may do. */
export const operatorTokens: Kind<readonly OperatorToken[]> = {
  label: 'JSON',
  read: (value) => fromJson(value, readTokens),
};

function readTokens(parsed: unknown): Reading<readonly OperatorToken[]> {
  if (!Array.isArray(parsed)) return { fault: 'is not a JSON list of tokens' };
  for (const [index, entry] of parsed.entries()) {
    const fault = isObject(entry) ? FAULTS.find((one) => one.isSo(entry)) : { text: 'is not a JSON object' };
    if (fault) return { fault: `has an entry ${index + 1} that ${fault.text}` };
  }
  const tokens = parsed as OperatorToken[];
  const names = tokens.map(({ name }) => name);
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  if (twin !== undefined) return { fault: `has the name ${twin} twice` };
  return { value: tokens };
}

/** Checked in this order. The messages contain no part of the entry, because it contains a secret. */
const FAULTS: readonly { text: string; isSo: (entry: Record<string, unknown>) => boolean }[] = [
  {
    text: `has a member that is none of ${MEMBERS.join(', ')}`,
    isSo: (entry) => Object.keys(entry).some((member) => !MEMBERS.includes(member)),
  },
  {
    text: 'has no name of lower-case letters, digits and hyphens',
    isSo: ({ name }) => typeof name !== 'string' || !/^[a-z][a-z0-9-]{0,31}$/.test(name),
  },
  {
    text: `has rights that are none of ${OPERATOR_RIGHTS.join(', ')}`,
    isSo: ({ rights }) => !OPERATOR_RIGHTS.some((known) => known === rights),
  },
  {
    text: 'has no token without spaces, in ASCII',
    isSo: ({ token: given }) => typeof given !== 'string' || given.length > TOKEN_LENGTH || 'fault' in token.read(given),
  },
];
