/** Removes single second factors and passkeys of an account. `GET accounts/{id}` lists them. */
import { Controller, Delete, Param } from '@nestjs/common';
import { CredentialsFrozen } from '../../accounts/account/credential-freeze.js';
import type { RemoveRequest } from '../../mfa/factor.port.js';
import { FactorRegistry } from '../../mfa/registry.js';
import { OPERATOR_API, type FactorRemovedAnswer } from '../wire.js';
import { AccountLookup } from './account-lookup.js';
import { CurrentOperatorContext, type OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import { Operation } from './rights.guard.js';

@Controller(`${OPERATOR_API}/accounts/:id/factors`)
export class FactorsController {
  constructor(
    private readonly lookup: AccountLookup,
    private readonly registry: FactorRegistry,
  ) {}

  /**
   * Removes one second factor or passkey of an account, even the last one; its owner receives a notice. A factor without an id is named
   * by its kind. Recovery codes go with the last factor.
   * @throws 404 account_not_found factor_not_found, 409 credentials_frozen
   */
  @Delete(':factor')
  @Operation('factors.remove')
  async remove(
    @Param('id') id: string,
    @Param('factor') factor: string,
    @CurrentOperatorContext() by: OperatorContext,
  ): Promise<FactorRemovedAnswer> {
    const { id: accountId } = await this.lookup.get(id);
    try {
      if (await this.#remove(factor, { accountId, by, mayBeLast: true })) return { removed: 1 };
    } catch (error) {
      if (!(error instanceof CredentialsFrozen)) throw error;
      const message = 'The credentials of this account are frozen after "That was not me": end the freeze first.';
      throw new OperatorFault(409, 'credentials_frozen', message);
    }
    throw new OperatorFault(404, 'factor_not_found', 'The account has no such factor.');
  }

  /** A kind of which an account has only one ignores the id, so the id is looked up first. */
  async #remove(factor: string, request: RemoveRequest): Promise<boolean> {
    for (const all of this.registry.all) {
      const entries = await all.list(request.accountId);
      const found = entries.find((entry) => (entry.id ?? all.kind.name) === factor);
      if (found) return all.remove(request, found.id ?? '');
    }
    return false;
  }
}
