/**
 * Disconnects a provider from the account, even one that is no longer configured. Needs a fresh proof, and refuses to
 * remove the last way to sign in or the provider that the account comes from.
 */
import { Injectable } from '@nestjs/common';
import { ExternalIdentities } from '../../accounts/identities/external-identities.js';
import { LastSignInMethod } from '../../accounts/identities/sign-in-methods.js';
import { fingerprint } from '../../config/keys.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { RevocationRunner } from '../../hydra/revocation-runner.js';
import { IdentityProviders } from '../../providers/identity-providers.port.js';
import { WaysIn } from '../session/ways-in.js';
import { ProvenChange } from '../session/proven-change.js';
import type { ManageContext } from '../session/manage-session.js';

@Injectable()
export class DisconnectProvider {
  constructor(
    private readonly provenChange: ProvenChange,
    private readonly identities: ExternalIdentities,
    private readonly providers: IdentityProviders,
    private readonly revocations: RevocationRunner,
    private readonly ways: WaysIn,
  ) {}

  /** @throws CallFailed */
  async disconnect(provider: string, manageContext: ManageContext): Promise<void> {
    const { account, context, auditContext } = manageContext;
    const providerName = this.providers.find(provider)?.name ?? provider;
    const disconnection = {
      accountId: account.id,
      provider,
      providerName,
      auditContext,
      offeredMethods: this.ways.listOffered(),
    };
    const browser = fingerprint(context.browser);
    try {
      const isDone = await this.provenChange.run(manageContext, (manageSession) =>
        this.identities.disconnect({ ...disconnection, manageSession }, browser),
      );
      if (!isDone) throw new CallFailed('oauth not found');
      await this.revocations.settle(account.id, context.requestId);
    } catch (error) {
      if (error instanceof LastSignInMethod) throw new CallFailed('last way in');
      throw error;
    }
  }
}
