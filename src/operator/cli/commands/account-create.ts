/** Creates an account. A password is read from standard input or generated; it is never an argument. */
import type { AccountAnswer } from '../../wire.js';
import { formatAccount } from '../account-text.js';
import { ATTRIBUTE_OPTIONS, readAttributes } from '../attribute-options.js';
import { CliFailure, buildUsageFailure } from '../cli-failure.js';
import type { Call, Command } from '../command.js';
import { generatePassword } from '../generated-password.js';
import { REASON_OPTION } from '../reason-option.js';

/** Number of words for an installation that requires up to 64 characters. */
const LONG_WORD_COUNT = 12;

export const accountCreate: Command = {
  name: 'account create',
  about: 'create an account; without a password option its owner has no password yet',
  operands: [],
  options: {
    username: { value: 'NAME', about: 'name to sign in with; required' },
    name: { value: 'NAME', about: 'display name for pages and apps; default: the username' },
    email: { value: 'ADDRESS', about: 'e-mail address' },
    language: { value: 'CODE', about: 'language of pages and mails, such as de or en' },
    group: { value: 'NAME', about: 'group of the account' },
    ...ATTRIBUTE_OPTIONS,
    'password-generate': { about: 'generate a password and show it once' },
    'password-stdin': { about: 'read the password from standard input, or prompt for it at a terminal' },
    ...REASON_OPTION,
  },
  async run(call) {
    const { options } = call;
    const username = options.requireText('username');
    if (options.has('password-generate') && options.has('password-stdin')) {
      throw buildUsageFailure('--password-generate and --password-stdin must not be given together.');
    }
    const account = {
      username,
      display_name: options.text('name'),
      email: options.text('email'),
      language: options.text('language'),
      group_name: options.text('group'),
      ...readAttributes(options),
    };
    if (options.has('password-generate')) return createWithGeneratedPassword(call, account);
    const password = options.has('password-stdin') ? await readPassword(call) : undefined;
    const answer = await call.api.createAccount({ ...account, password });
    call.print(answer, () => formatNewAccount(answer));
    return true;
  },
};

async function createWithGeneratedPassword(call: Call, account: { username: string }): Promise<boolean> {
  const attempt = async (password: string): Promise<{ answer: AccountAnswer; password: string }> => ({
    answer: await call.api.createAccount({ ...account, password }),
    password,
  });
  const { answer, password } = await attempt(generatePassword()).catch((error: unknown) => {
    if (error instanceof CliFailure && error.code === 'password_refused') return attempt(generatePassword(LONG_WORD_COUNT));
    throw error;
  });
  call.print({ ...answer, password }, () => `${formatNewAccount(answer)}\nPassword, shown only now: ${password}\n`);
  return true;
}

async function readPassword({ terminal }: Call): Promise<string> {
  const password = (await terminal.readSecret('Password: ')).replace(/\r?\n$/, '');
  if (password === '') throw buildUsageFailure('Standard input contains no password.');
  return password;
}

function formatNewAccount(account: AccountAnswer): string {
  return `The account was created.\n\n${formatAccount(account)}`;
}
