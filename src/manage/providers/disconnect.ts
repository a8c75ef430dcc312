/**
 * Disconnects a provider from the account: needs a fresh proof, and the last sign-in method must remain. Works for
 * providers that are no longer configured too.
 */
import { Injectable } from '@nestjs/common';
import { ExternalIdentities, LastSignInMethod } from '../../accounts/identities/external-identities.js';
import { fingerprint } from '../../config/keys.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { Revocations } from '../../hydra/revocations.js';
import { IdentityProviders } from '../../providers/identity-providers.port.js';
import { FreshProof } from '../session/fresh-proof.js';
import type { ManageContext } from '../session/manage-session.js';

@Injectable()
export class DisconnectProvider {
  constructor(
    private readonly proof: FreshProof,
    private readonly identities: ExternalIdentities,
    private readonly providers: IdentityProviders,
    private readonly upstream: Revocations,
  ) {}

  /** @throws CallFailed */
  async disconnect(provider: string, current: ManageContext): Promise<void> {
    await this.proof.require(current);
    const { account, context, by } = current;
    const providerName = this.providers.find(provider)?.name ?? provider;
    const offered = this.providers.list().map(({ id }) => id);
    const wanted = { accountId: account.id, provider, providerName, by, offered };
    try {
      const isDone = await this.identities.disconnect(wanted, fingerprint(context.browser));
      if (!isDone) throw new CallFailed('oauth not found');
      await this.upstream.settle(account.id, context.requestId);
    } catch (error) {
      if (error instanceof LastSignInMethod) throw new CallFailed('last way in');
      throw error;
    }
  }
}
