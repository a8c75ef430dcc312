/** Shows the claims about a person that an app would receive. */
import type { ClaimsAnswer } from '../../wire.js';
import type { Command } from '../command.js';
import { findAccount } from '../account-command.js';
import { sanitizeJson } from '../shown-text.js';
import { formatFacts } from '../table.js';

export const claims: Command = {
  name: 'claims',
  about: 'show the claims about a person that a client receives if all scopes are granted',
  operands: [],
  options: {
    client: { value: 'ID', about: 'id of the client at Hydra; required' },
    account: { value: 'ID|USERNAME', about: 'account of the person; required' },
  },
  async run({ api, options, print, warn }) {
    const [client, account] = [options.requireText('client'), options.requireText('account')];
    const { id } = await findAccount(api, account);
    const answer = await api.getClaims(id, client);
    print(answer, () => formatClaims(answer));
    const isTooLarge = answer.bytes > answer.most_bytes;
    if (isTooLarge)
      warn(
        `These claims take ${answer.bytes} bytes, more than the maximum of ${answer.most_bytes}: the app would receive an error.`,
      );
    return !isTooLarge;
  },
};

function formatClaims({ scopes, id_token, access_token }: ClaimsAnswer): string {
  const rows = scopes.map(({ scope, claims: names }): [string, string] => [scope, names.length === 0 ? '–' : names.join(', ')]);
  return `${formatFacts(rows)}\nID token and userinfo\n${sanitizeJson(id_token)}\nAccess token (ext)\n${sanitizeJson(access_token)}`;
}
