import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';
import { UPSTREAM_SILENT } from '../upstream-silent.js';

export const accountDisable: Command = {
  name: 'account disable',
  about: 'disable an account; end its sessions and grants',
  operands: ['id|username'],
  options: {},
  async run({ api, operands, print, warn }) {
    const { id } = await findAccount(api, operands[0]);
    const account = await api.disable(id);
    print(account, () => `${account.username} is disabled.\n`);
    if (account.upstream === 'unavailable') warn(UPSTREAM_SILENT);
    return true;
  },
};
