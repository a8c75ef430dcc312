/** Builds commands about a single account, which the first operand names. */
import type { AccountAnswer } from '../wire.js';
import { CliFailure, EXIT } from './cli-failure.js';
import type { Call, Command } from './command.js';
import type { OperatorClient } from './operator-client.js';
import { sanitize } from './shown-text.js';

interface AccountCommand extends Pick<Command, 'name' | 'about'>, Partial<Pick<Command, 'options'>> {
  /** Names of the operands after the account. */
  operands?: readonly string[];
  run(account: NamedAccount, call: Call): Promise<void>;
}

interface NamedAccount {
  id: string;
  /** The username, safe to show on a terminal. */
  username: string;
}

export function buildAccountCommand({ operands = [], options = {}, run, ...command }: AccountCommand): Command {
  return {
    ...command,
    operands: ['id|username', ...operands],
    options,
    async run(call) {
      const { id, username } = await findAccount(call.api, call.operands[0]);
      await run({ id, username: sanitize(username) }, call);
      return true;
    },
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isAccountId(text: string): boolean {
  return UUID.test(text);
}

/**
 * Finds an account by id, by username, or by subject (`sub`). The id is tried first, so that a username in the form of an
 * id cannot stand for another account.
 * @throws CliFailure with exit code 3 if there is no such account, or the failure of a call to the API
 */
export async function findAccount(api: OperatorClient, reference = ''): Promise<AccountAnswer> {
  const isId = isAccountId(reference);
  const account =
    (isId ? await findById(api, reference) : null) ??
    (await findByUsername(api, reference)) ??
    (isId || reference === '' ? null : await findById(api, reference));
  if (account) return account;
  const message = `There is no account "${sanitize(reference)}"; foyer account list shows all accounts.`;
  throw new CliFailure(EXIT.notFound, 'account_not_found', message);
}

async function findById(api: OperatorClient, id: string): Promise<AccountAnswer | null> {
  try {
    return await api.getAccount(id);
  } catch (error) {
    if (error instanceof CliFailure && error.exitCode === EXIT.notFound) return null;
    throw error;
  }
}

async function findByUsername(api: OperatorClient, username: string): Promise<AccountAnswer | null> {
  if (username === '') return null;
  const { accounts } = await api.listAccounts({ username });
  return accounts[0] ?? null;
}
