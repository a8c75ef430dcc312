/** The deletion of an account, here and at the OAuth server. */
import { Controller, Delete, Param } from '@nestjs/common';
import { DeleteAccount } from '../../accounts/account/delete-account.js';
import { AccountLookup } from './account-lookup.js';
import { EndAccess } from './end-access.js';
import { CurrentOperatorContext } from './operator-context.js';
import type { OperatorContext } from './operator-context.js';
import { Rights } from './rights.guard.js';
import { OPERATOR_API } from '../wire.js';
import type { DeletedAnswer } from '../wire.js';

@Controller(`${OPERATOR_API}/accounts/:id`)
export class DeletionController {
  constructor(
    private readonly lookup: AccountLookup,
    private readonly deletion: DeleteAccount,
    private readonly endAccess: EndAccess,
  ) {}

  /**
   * Deletes an account with everything that is stored for it, here and at the OAuth server. Its sessions and grants there
   * end at once, or as soon as the server answers. Its events stay in the audit log, and nobody gets its username for a
   * while. This cannot be undone.
   * @throws 404 account_not_found
   */
  @Delete()
  @Rights('admin')
  async delete(@Param('id') id: string, @CurrentOperatorContext() context: OperatorContext): Promise<DeletedAnswer> {
    const account = await this.lookup.get(id);
    const ended = await this.deletion.delete(account, context);
    return { id: account.id, ended, upstream: await this.endAccess.settle(account.id, context) };
  }
}
