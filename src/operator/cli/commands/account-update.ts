/**
 * Changes the values of an account that options name. A value is removed by --clear, by `--second-factor default` or by null in
 * --attributes, never by an empty text.
 */
import { buildAccountCommand } from '../account-command.js';
import { formatAccount } from '../account-text.js';
import { ATTRIBUTE_OPTIONS, readAttributes } from '../attribute-options.js';
import { buildUsageFailure } from '../cli-failure.js';
import type { GivenOptions } from '../command.js';
import type { OperatorClient } from '../operator-client.js';
import { REASON_OPTION } from '../reason-option.js';

/** The options, and the members of the API that they set. */
const MEMBERS = {
  name: 'display_name',
  email: 'email',
  language: 'language',
  group: 'group_name',
  picture: 'picture',
  'second-factor': 'second_factor',
} as const;

const SECOND_FACTOR_WORDS = ['required', 'optional', 'default'];

const NAMES = Object.keys(MEMBERS) as (keyof typeof MEMBERS)[];
const CLEARABLE_NAMES = [...NAMES, 'further-group'] as const;

type Patch = Parameters<OperatorClient['updateAccount']>[1];

export const accountUpdate = buildAccountCommand({
  name: 'account update',
  about: 'change an account',
  options: {
    name: { value: 'NAME', about: 'display name for pages and apps' },
    email: { value: 'ADDRESS', about: 'e-mail address; not verified unless --email-verified is given' },
    'email-verified': { about: 'the new address is known to belong to the person; requires --email' },
    language: { value: 'CODE', about: 'language of pages and mails, such as de or en' },
    group: { value: 'NAME', about: 'group of the account' },
    ...ATTRIBUTE_OPTIONS,
    picture: { value: 'URL', about: 'address of a picture' },
    'second-factor': { value: 'WORD', about: `whether a sign-in requires a second factor: ${SECOND_FACTOR_WORDS.join(', ')}` },
    clear: {
      value: 'FIELD',
      multiple: true,
      about: `remove a value: ${CLEARABLE_NAMES.join(', ')}; may be repeated; an attribute is removed with --attributes '{"name":null}'`,
    },
    ...REASON_OPTION,
  },
  async run({ id }, { api, options, print }) {
    const account = await api.updateAccount(id, toPatch(options));
    print(account, () => `The account was changed.\n\n${formatAccount(account)}`);
  },
});

function toPatch(options: GivenOptions): Patch {
  const namesToClear = options.texts('clear');
  const unknownName = namesToClear.find((name) => !CLEARABLE_NAMES.some((clearableName) => clearableName === name));
  if (unknownName !== undefined)
    throw buildUsageFailure(`--clear accepts ${CLEARABLE_NAMES.join(', ')}, but not ${JSON.stringify(unknownName)}.`);
  const conflict = CLEARABLE_NAMES.find((name) => namesToClear.includes(name) && options.has(name));
  if (conflict !== undefined) throw buildUsageFailure(`--${conflict} and --clear ${conflict} must not be given together.`);
  const patch = NAMES.flatMap((name) => {
    const value = namesToClear.includes(name) ? null : toValue(name, options.text(name));
    return value === undefined ? [] : [[MEMBERS[name], value] as const];
  });
  const attributes = { ...(namesToClear.includes('further-group') ? { groups: [] } : {}), ...readAttributes(options) };
  if (patch.length === 0 && Object.keys(attributes).length === 0) {
    const names = [...NAMES, ...Object.keys(ATTRIBUTE_OPTIONS)].map((name) => `--${name}`);
    throw buildUsageFailure(`Nothing to change: pass ${names.join(', ')} or --clear.`);
  }
  if (options.has('email-verified') && !options.has('email')) throw buildUsageFailure('--email-verified requires --email.');
  return { ...Object.fromEntries(patch), ...attributes, ...(options.has('email-verified') ? { email_verified: true } : {}) };
}

function toValue(name: keyof typeof MEMBERS, value: string | undefined): string | null | undefined {
  if (name !== 'second-factor' || value === undefined) return value;
  if (!SECOND_FACTOR_WORDS.includes(value))
    throw buildUsageFailure(`--second-factor accepts ${SECOND_FACTOR_WORDS.join(', ')}, but not ${JSON.stringify(value)}.`);
  return value === 'default' ? null : value;
}
