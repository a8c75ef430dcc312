import { usage } from '../cli-failure.js';
import { timeText } from '../account-text.js';
import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';
import { shown } from '../shown-text.js';
import { UPSTREAM_SILENT } from '../upstream-silent.js';

const DAYS = /^(?:[1-9]|[1-8]\d|90)$/;

export const accountDelete: Command = {
  name: 'account delete',
  about: 'delete an account with all its data, now or after some days; its audit log stays',
  operands: ['id|username'],
  options: {
    yes: { about: 'confirm that the account is to be deleted for good; required without --days' },
    days: { value: '1-90', about: 'delete it after so many days; until then its owner, or account keep, can keep it' },
  },
  async run({ api, operands, options, print, warn }) {
    const days = options.text('days');
    if (days !== undefined && !DAYS.test(days)) throw usage('--days has to be a whole number from 1 to 90.');
    const { id, username } = await findAccount(api, operands[0]);
    if (days !== undefined) {
      const answer = await api.scheduleDeletion(id, Number(days));
      print(
        answer,
        () => `${shown(username)} will be deleted at ${timeText(answer.deletion_due_at)}. Undo: foyer account keep ${id}\n`,
      );
      return true;
    }
    if (!options.has('yes')) {
      throw usage(`This deletes ${shown(username)} (${id}) for good. Give --yes to confirm it, or use account disable.`);
    }
    const answer = await api.deleteAccount(id);
    print(answer, () => `${shown(username)} is deleted. Events: foyer audit --account ${id}\n`);
    if (answer.upstream === 'unavailable') warn(UPSTREAM_SILENT);
    return true;
  },
};
