import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';
import { UPSTREAM_SILENT } from '../upstream-silent.js';

export const accountSessionsEnd: Command = {
  name: 'account sessions end',
  about: 'sign a person out everywhere',
  operands: ['id|username'],
  options: {},
  async run({ api, operands, print, warn }) {
    const { id, username } = await findAccount(api, operands[0]);
    const result = await api.endSessions(id);
    print(result, () => `${username} is signed out everywhere (sessions ended: ${result.ended}).\n`);
    if (result.upstream === 'unavailable') warn(UPSTREAM_SILENT);
    return true;
  },
};
