/** Makes an account. A password comes from standard input or is drawn here; it is never an argument. */
import type { AccountAnswer } from '../../wire.js';
import { accountText } from '../account-text.js';
import { CliFailure, usage } from '../cli-failure.js';
import type { Call, Command } from '../command.js';
import { generatedPassword } from '../generated-password.js';

/** For installations that ask for up to 64 characters. */
const MANY_WORDS = 12;

export const accountCreate: Command = {
  name: 'account create',
  about: 'make an account; without a password its owner cannot sign in by password yet',
  operands: [],
  options: {
    username: { value: 'NAME', about: 'what the person signs in with; needed' },
    name: { value: 'NAME', about: 'what pages and apps show; the username when left out' },
    email: { value: 'ADDRESS', about: 'e-mail address' },
    language: { value: 'CODE', about: 'language of pages and mails, like de or en' },
    group: { value: 'NAME', about: 'group' },
    'password-generate': { about: 'draw a password and show it once' },
    'password-stdin': { about: 'read the password from standard input, or ask for it at a terminal' },
  },
  async run(call) {
    const { options } = call;
    const username = options.requireText('username');
    if (options.has('password-generate') && options.has('password-stdin')) {
      throw usage('--password-generate and --password-stdin exclude one another.');
    }
    const account = {
      username,
      display_name: options.text('name'),
      email: options.text('email'),
      language: options.text('language'),
      group_name: options.text('group'),
    };
    if (options.has('password-generate')) return withGenerated(call, account);
    const password = options.has('password-stdin') ? await readPassword(call) : undefined;
    const created = await call.api.createAccount({ ...account, password });
    call.print(created, () => text(created));
    return true;
  },
};

async function withGenerated(call: Call, account: { username: string }): Promise<boolean> {
  const attempt = async (password: string): Promise<{ created: AccountAnswer; password: string }> => ({
    created: await call.api.createAccount({ ...account, password }),
    password,
  });
  const { created, password } = await attempt(generatedPassword()).catch((error: unknown) => {
    if (error instanceof CliFailure && error.code === 'password_refused') return attempt(generatedPassword(MANY_WORDS));
    throw error;
  });
  call.print({ ...created, password }, () => `${text(created)}\nPassword, shown this once: ${password}\n`);
  return true;
}

async function readPassword({ terminal }: Call): Promise<string> {
  const password = (await terminal.readSecret('Password: ')).replace(/\r?\n$/, '');
  if (password === '') throw usage('There is no password on standard input.');
  return password;
}

function text(created: AccountAnswer): string {
  return `The account is made.\n\n${accountText(created)}`;
}
