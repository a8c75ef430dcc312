/** Removes individual second factors and passkeys of an account. `GET accounts/{id}` lists them. */
import { Controller, Delete, Param } from '@nestjs/common';
import { OPERATOR_API, type FactorRemovedAnswer } from '../wire.js';
import { AccountLookup } from './account-lookup.js';
import { ApprovalGate } from './approval-gate.js';
import { CurrentOperatorContext, type OperatorContext } from './operator-context.js';
import { Operation } from './rights.guard.js';

@Controller(`${OPERATOR_API}/accounts/:id/factors`)
export class FactorsController {
  constructor(
    private readonly lookup: AccountLookup,
    private readonly gate: ApprovalGate,
  ) {}

  /**
   * Removes one second factor or passkey of an account, even the last one; its owner receives a notice. A factor without an id is named
   * by its kind. Recovery codes are removed with the last factor.
   * @throws 404 account_not_found factor_not_found, 409 credentials_frozen support_check_ended
   */
  @Delete(':factor')
  @Operation('factors.remove')
  async remove(
    @Param('id') id: string,
    @Param('factor') factor: string,
    @CurrentOperatorContext() auditContext: OperatorContext,
  ): Promise<FactorRemovedAnswer> {
    const account = await this.lookup.get(id);
    return this.gate.run({ operation: 'factors.remove', account, body: { factor } }, auditContext);
  }
}
