/** Lists and disconnects the external accounts that are connected to an account. */
import { Controller, Delete, Get, Param } from '@nestjs/common';
import { ExternalIdentities } from '../../accounts/identities/external-identities.js';
import { RevocationRunner } from '../../hydra/revocation-runner.js';
import { IdentityProviders } from '../../providers/identity-providers.port.js';
import { toProviderAnswer } from './answers.js';
import { CurrentOperatorContext, type OperatorContext } from './operator-context.js';
import { AccountLookup } from './account-lookup.js';
import { OperatorFault } from './operator-fault.js';
import { Operation } from './rights.guard.js';
import { OPERATOR_API, type ProvidersAnswer } from '../wire.js';

@Controller(`${OPERATOR_API}/accounts/:id/providers`)
export class ProvidersController {
  constructor(
    private readonly lookup: AccountLookup,
    private readonly identities: ExternalIdentities,
    private readonly providers: IdentityProviders,
    private readonly revocations: RevocationRunner,
  ) {}

  /**
   * Lists the external accounts that are connected to an account.
   * @throws 404 account_not_found
   */
  @Get()
  @Operation('providers.list')
  async list(@Param('id') id: string): Promise<ProvidersAnswer> {
    return this.#answer((await this.lookup.get(id)).id);
  }

  /**
   * Disconnects a provider from an account, even if it is the last way to sign in. With a reset link, the person can then set a password.
   * @throws 404 account_not_found provider_not_connected
   */
  @Delete(':provider')
  @Operation('providers.disconnect')
  async disconnect(
    @Param('id') id: string,
    @Param('provider') provider: string,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<ProvidersAnswer> {
    const { id: accountId } = await this.lookup.get(id);
    const providerName = this.providers.find(provider)?.name ?? provider;
    const isDone = await this.identities.disconnect({
      accountId,
      provider,
      providerName,
      auditContext: context,
      offeredMethods: null,
    });
    if (!isDone) throw new OperatorFault(404, 'provider_not_connected', 'This provider is not connected to the account.');
    await this.revocations.settle(accountId, context.requestId);
    return this.#answer(accountId);
  }

  async #answer(accountId: string): Promise<ProvidersAnswer> {
    return { providers: (await this.identities.list(accountId)).map(toProviderAnswer) };
  }
}
