/** Revokes the access of an app to an account. */
import { Controller, Delete, Param } from '@nestjs/common';
import { Accounts } from '../../accounts/account/accounts.js';
import { ConsentGrants } from '../../accounts/sessions/consent-grants.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import { findClientIdFault } from '../clients/client-rules.js';
import { OPERATOR_API } from '../wire.js';
import type { AppRemovedAnswer } from '../wire-clients.js';
import { AccountLookup } from './account-lookup.js';
import { CurrentOperatorContext, type OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import { Operation } from './rights.guard.js';

@Controller(`${OPERATOR_API}/accounts/:id/apps`)
export class AccountAppsController {
  constructor(
    private readonly lookup: AccountLookup,
    private readonly accounts: Accounts,
    private readonly grants: ConsentGrants,
    private readonly hydra: HydraPort,
  ) {}

  /**
   * Revokes a client's access to an account: its tokens stop working, and the person is asked for consent again. If Hydra does not
   * answer (503), the person is asked for consent again, but the tokens still work: repeat the call.
   * @throws 404 account_not_found client_not_found
   */
  @Delete(':client')
  @Operation('accountApps.remove')
  async remove(
    @Param('id') id: string,
    @Param('client') client: string,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<AppRemovedAnswer> {
    const { id: accountId } = await this.lookup.get(id);
    // Foyer does not handle clients with such ids, and some of these ids would make Hydra answer with a database error.
    if (findClientIdFault(client) !== null) throw new OperatorFault(404, 'client_not_found', 'Hydra has no client with this id.');
    // The grants are revoked first: otherwise a redirect in progress could use them after Hydra has revoked the consent.
    const event = { ...context, kind: 'app.removed', accountId, detail: { client } } as const;
    await this.grants.revoke(accountId, { clientId: client, event });
    await this.hydra.revokeConsents(await this.accounts.findSubject(accountId), client);
    return { account_id: accountId, client_id: client };
  }
}
