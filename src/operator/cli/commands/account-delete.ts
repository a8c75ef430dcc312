import { usage } from '../cli-failure.js';
import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';
import { shown } from '../shown-text.js';
import { UPSTREAM_SILENT } from '../upstream-silent.js';

export const accountDelete: Command = {
  name: 'account delete',
  about: 'delete an account with everything that is stored for it; its audit log stays',
  operands: ['id|username'],
  options: { yes: { about: 'confirm that the account is to be deleted for good; required' } },
  async run({ api, operands, options, print, warn }) {
    const { id, username } = await findAccount(api, operands[0]);
    if (!options.has('yes')) {
      throw usage(`This deletes ${shown(username)} (${id}) for good. Give --yes to confirm it, or use account disable.`);
    }
    const answer = await api.deleteAccount(id);
    print(answer, () => `${shown(username)} is deleted. Events: foyer audit --account ${id}\n`);
    if (answer.upstream === 'unavailable') warn(UPSTREAM_SILENT);
    return true;
  },
};
