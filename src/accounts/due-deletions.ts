/**
 * Deletes the accounts whose deletion is due by the clock of the database. Replicas may do this concurrently: each account is
 * deleted once, and an account that cannot be deleted now does not delay the others.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOG } from '../config/log.token.js';
import { Database } from '../database/database.js';
import { DeleteAccount, selectDueDeletions } from './changes/delete-account.js';

/** Maximum number of accounts that one run deletes. Later runs delete the others. */
const MAX_DELETIONS = 1000;

@Injectable()
export class DueDeletions {
  constructor(
    private readonly database: Database,
    private readonly deleteAccount: DeleteAccount,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** @returns number of accounts that this run deleted */
  async run(): Promise<number> {
    const { database, deleteAccount, log } = this;
    const dueDeletions = await selectDueDeletions(database.now(), database.db).orderBy('d.due_at').limit(MAX_DELETIONS).execute();
    let count = 0;
    for (const { account_id: id } of dueDeletions) {
      try {
        if (await deleteAccount.deleteDue(id)) count += 1;
      } catch (err) {
        log.warn({ err, account: id }, 'an account that is due for deletion could not be deleted; the next run tries again');
      }
    }
    return count;
  }
}
