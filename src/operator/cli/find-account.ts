/** Finds an account by id, by username, or by the subject that apps know. An id is tried first, because nobody can choose an id as username. */
import type { AccountAnswer } from '../wire.js';
import { CliFailure, EXIT } from './cli-failure.js';
import type { OperatorClient } from './operator-client.js';
import { shown } from './shown-text.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws CliFailure with exit code 3 */
export async function findAccount(api: OperatorClient, named = ''): Promise<AccountAnswer> {
  const isId = UUID.test(named);
  const found =
    (isId ? await byId(api, named) : null) ??
    (await byUsername(api, named)) ??
    (isId || named === '' ? null : await byId(api, named));
  if (found) return found;
  const message = `There is no account "${shown(named)}"; \`foyer account list\` shows all accounts.`;
  throw new CliFailure(EXIT.notFound, 'account_not_found', message);
}

async function byId(api: OperatorClient, id: string): Promise<AccountAnswer | null> {
  try {
    return await api.getAccount(id);
  } catch (error) {
    if (error instanceof CliFailure && error.exitCode === EXIT.notFound) return null;
    throw error;
  }
}

async function byUsername(api: OperatorClient, username: string): Promise<AccountAnswer | null> {
  if (username === '') return null;
  const { accounts } = await api.listAccounts({ username });
  return accounts[0] ?? null;
}
