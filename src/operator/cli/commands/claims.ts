/** Shows what an app would learn of a person. */
import type { ClaimsAnswer } from '../../wire.js';
import type { Command } from '../command.js';
import { findAccount } from '../account-command.js';
import { facts } from '../table.js';

export const claims: Command = {
  name: 'claims',
  about: 'show which claims a client would get of a person who grants all its scopes',
  operands: [],
  options: {
    client: { value: 'ID', about: 'id of the client at Hydra; required' },
    account: { value: 'ID|USERNAME', about: 'the person; required' },
  },
  async run({ api, options, print, warn }) {
    const [client, account] = [options.requireText('client'), options.requireText('account')];
    const { id } = await findAccount(api, account);
    const answer = await api.getClaims(id, client);
    print(answer, () => text(answer));
    const isTooLarge = answer.bytes > answer.most_bytes;
    if (isTooLarge) warn(`These are ${answer.bytes} bytes, and ${answer.most_bytes} are possible: the app would get an error.`);
    return !isTooLarge;
  },
};

function text({ scopes, id_token, access_token }: ClaimsAnswer): string {
  const rows = scopes.map(({ scope, claims: names }): [string, string] => [scope, names.length === 0 ? '–' : names.join(', ')]);
  return `${facts(rows)}\nID token and userinfo\n${json(id_token)}\n\nAccess token (ext)\n${json(access_token)}\n`;
}

function json(members: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(members, null, 2);
}
