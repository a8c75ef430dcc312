import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';
import { UPSTREAM_SILENT } from '../upstream-silent.js';

const STATES = {
  active: 'is up to date with',
  disabled: 'is disabled, as it is at',
  gone: 'is disabled, because it is gone from',
} as const;

export const accountRefresh: Command = {
  name: 'account refresh',
  about: 'take over what changed at its source; disable it if the person left',
  operands: ['id|username'],
  options: {},
  async run({ api, operands, print, warn }) {
    const { id } = await findAccount(api, operands[0]);
    const account = await api.refresh(id);
    print(account, () => `${account.username} ${STATES[account.source_state]} the source ${account.source}.\n`);
    if (account.upstream === 'unavailable') warn(UPSTREAM_SILENT);
    return true;
  },
};
