import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';
import { UPSTREAM_SILENT } from '../upstream-silent.js';

export const accountSessionsEnd: Command = {
  name: 'account sessions end',
  about: 'sign a person out everywhere, or end a single session',
  operands: ['id|username'],
  options: { session: { value: 'ID', about: 'end only this session; `account sessions list` shows the ids' } },
  async run({ api, operands, options, print, warn }) {
    const { id, username } = await findAccount(api, operands[0]);
    const session = options.text('session');
    const result = session === undefined ? await api.endSessions(id) : await api.endSession(id, session);
    const what = session === undefined ? `${username} is signed out everywhere` : `That session of ${username} has ended`;
    print(result, () => `${what} (sessions ended: ${result.ended}).\n`);
    if (result.upstream === 'unavailable') warn(UPSTREAM_SILENT);
    return true;
  },
};
