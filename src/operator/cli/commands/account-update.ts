/** Changes what is named and leaves the rest. A value is taken away by its name, so that an empty text is never a wish. */
import { accountText } from '../account-text.js';
import { usage } from '../cli-failure.js';
import type { Command, GivenOptions } from '../command.js';
import { findAccount } from '../find-account.js';

/** Options and the members of the API that they set. */
const MEMBERS = {
  name: 'display_name',
  email: 'email',
  language: 'language',
  group: 'group_name',
  picture: 'picture',
  'second-factor': 'second_factor',
} as const;

const SECOND_FACTOR = ['required', 'optional', 'default'];

const NAMES = Object.keys(MEMBERS) as (keyof typeof MEMBERS)[];

export const accountUpdate: Command = {
  name: 'account update',
  about: 'change an account',
  operands: ['id|username'],
  options: {
    name: { value: 'NAME', about: 'what pages and apps show' },
    email: { value: 'ADDRESS', about: 'e-mail address; it counts as not verified' },
    language: { value: 'CODE', about: 'language of pages and mails, like de or en' },
    group: { value: 'NAME', about: 'group' },
    picture: { value: 'URL', about: 'address of a picture' },
    'second-factor': { value: 'WORD', about: `${SECOND_FACTOR.join(', ')}: whether signing in asks for one` },
    clear: { value: 'FIELD', multiple: true, about: `take a value away: ${NAMES.join(', ')}` },
  },
  async run({ api, operands, options, print }) {
    const patch = patchOf(options);
    const { id } = await findAccount(api, operands[0]);
    const account = await api.updateAccount(id, patch);
    print(account, () => `The account is changed.\n\n${accountText(account)}`);
    return true;
  },
};

function patchOf(options: GivenOptions): Record<string, string | null> {
  const cleared = options.texts('clear');
  const unknown = cleared.find((name) => !NAMES.some((known) => known === name));
  if (unknown !== undefined) throw usage(`--clear takes ${NAMES.join(', ')}; not ${JSON.stringify(unknown)}.`);
  const both = NAMES.find((name) => cleared.includes(name) && options.has(name));
  if (both !== undefined) throw usage(`--${both} and --clear ${both} exclude one another.`);
  const patch = NAMES.flatMap((name) => {
    const value = cleared.includes(name) ? null : wished(name, options.text(name));
    return value === undefined ? [] : [[MEMBERS[name], value] as const];
  });
  if (patch.length === 0)
    throw usage(`There is nothing to change: give ${NAMES.map((name) => `--${name}`).join(', ')} or --clear.`);
  return Object.fromEntries(patch);
}

function wished(name: keyof typeof MEMBERS, value: string | undefined): string | null | undefined {
  if (name !== 'second-factor' || value === undefined) return value;
  if (!SECOND_FACTOR.includes(value))
    throw usage(`--second-factor takes ${SECOND_FACTOR.join(', ')}; not ${JSON.stringify(value)}.`);
  return value === 'default' ? null : value;
}
