import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';
import { shown } from '../shown-text.js';
import { UPSTREAM_SILENT } from '../upstream-silent.js';

const NO_WAY_IN = 'Nobody can sign in to it now: hand out a link with `foyer account password-reset`.';

export const accountUnlink: Command = {
  name: 'account unlink',
  about: 'take the account from its source or provider; it is one of its own then',
  operands: ['id|username'],
  options: {},
  async run({ api, operands, print, warn }) {
    const { id, username } = await findAccount(api, operands[0]);
    const answer = await api.unlink(id);
    print(answer, () => `${shown(username)} does not belong to ${shown(answer.source)} any more.\n`);
    if (!answer.can_sign_in) warn(NO_WAY_IN);
    if (answer.upstream === 'unavailable') warn(UPSTREAM_SILENT);
    return true;
  },
};
