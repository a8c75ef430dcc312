/**
 * Disconnects a provider from the account: needs a fresh proof, and the last sign-in method must remain. Works for
 * providers that are no longer configured too.
 */
import { Injectable } from '@nestjs/common';
import { ChangeRefused } from '../../accounts/account/account.errors.js';
import { ExternalIdentities } from '../../accounts/identities/external-identities.js';
import { LastSignInMethod } from '../../accounts/identities/ways-in.js';
import { ManageSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import { fingerprint } from '../../config/keys.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { RevocationRunner } from '../../hydra/revocation-runner.js';
import { IdentityProviders } from '../../providers/identity-providers.port.js';
import { WaysIn } from '../session/ways-in.js';
import { FreshProof } from '../session/fresh-proof.js';
import type { ManageContext } from '../session/manage-session.js';

@Injectable()
export class DisconnectProvider {
  constructor(
    private readonly proof: FreshProof,
    private readonly identities: ExternalIdentities,
    private readonly providers: IdentityProviders,
    private readonly upstream: RevocationRunner,
    private readonly ways: WaysIn,
    private readonly sessions: ManageSessionRecords,
  ) {}

  /** @throws CallFailed */
  async disconnect(provider: string, current: ManageContext): Promise<void> {
    await this.proof.require(current);
    const { account, session, context, by } = current;
    const providerName = this.providers.find(provider)?.name ?? provider;
    const manageSession = this.sessions.changing(session.sessionId);
    const wanted = { accountId: account.id, provider, providerName, by, manageSession, offered: this.ways.offered() };
    try {
      const isDone = await this.identities.disconnect(wanted, fingerprint(context.browser));
      if (!isDone) throw new CallFailed('oauth not found');
      await this.upstream.settle(account.id, context.requestId);
    } catch (error) {
      if (error instanceof ChangeRefused) await this.proof.refused(error, current);
      if (error instanceof LastSignInMethod) throw new CallFailed('last way in');
      throw error;
    }
  }
}
