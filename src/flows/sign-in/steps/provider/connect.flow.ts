/**
 * Connects a provider to an account in the account area. Only the session that started the connection can finish it, and only
 * while its proof from the start is still valid (MAN-10, S-73).
 */
import { Injectable } from '@nestjs/common';
import { ChangeRefused } from '../../../../accounts/account/account.errors.js';
import { ManageSessionRecords } from '../../../../accounts/sessions/manage-sessions.js';
import { CredentialsFrozen } from '../../../../accounts/account/credential-freeze.js';
import { ExternalIdentities } from '../../../../accounts/identities/external-identities.js';
import type { ProviderPurpose } from '../../../../accounts/secrets/provider-transactions.js';
import { PATHS } from '../../../../contract/paths.js';
import { redirect, type RedirectOutcome } from '../../../../gateway/page/outcome.js';
import { toPerson, type RequestContext } from '../../../../gateway/http/request-context.js';
import { buildConnectSuccessUrl, buildConnectFailureUrl, type ConnectError } from '../../../../providers/connect-return.js';
import type { ProviderProfile } from '../../../../providers/identity-providers.port.js';
import type { CallbackVerdict } from './callback-verification.js';

export interface ConnectCallback {
  provider: ProviderProfile;
  purpose: Extract<ProviderPurpose, { kind: 'connect' }>;
  /** Asks the provider who the person is. */
  prove: () => Promise<CallbackVerdict>;
}

/** More than the longest time from the start to the return from the provider: the proof may be this much older than the setting allows. */
const MAX_CONNECT_SECONDS = 1200;
const REFUSALS: Readonly<Partial<Record<string, ConnectError>>> = {
  other: 'other_connected',
  frozen: 'frozen',
  unproven: 'expired',
};
const ERRORS = { cancelled: 'access_denied', refused: 'refused', unavailable: 'unavailable' } as const;

@Injectable()
export class ConnectProviderFlow {
  constructor(
    private readonly sessions: ManageSessionRecords,
    private readonly identities: ExternalIdentities,
  ) {}

  async finish({ provider, purpose, prove }: ConnectCallback, context: RequestContext): Promise<RedirectOutcome> {
    const { returnTo, accountId, sessionId } = purpose;
    // The person may have left the account area, or another person may have entered it.
    if ((await this.#findSession(context))?.sessionId !== sessionId) return redirectOutside();
    const verdict = await prove();
    if (verdict.kind !== 'proven') return redirect(buildConnectFailureUrl(returnTo, ERRORS[verdict.kind]));
    if (!verdict.identity.isAdmitted) return redirect(buildConnectFailureUrl(returnTo, ERRORS.refused));
    const outcome = await this.#connect({
      accountId,
      provider: provider.id,
      providerName: provider.name,
      identity: verdict.identity,
      manageSession: this.sessions.toChangingSession(sessionId, MAX_CONNECT_SECONDS),
      auditContext: toPerson(context),
    });
    if (outcome === 'gone') return redirectOutside();
    const error = REFUSALS[outcome];
    return redirect(error ? buildConnectFailureUrl(returnTo, error) : buildConnectSuccessUrl(returnTo));
  }

  /** While the person was at the provider, credentials may have been frozen, or the session or its proof may have expired. */
  async #connect(connection: Parameters<ExternalIdentities['connect']>[0]) {
    try {
      return await this.identities.connect(connection);
    } catch (error) {
      if (error instanceof CredentialsFrozen) return 'frozen';
      if (error instanceof ChangeRefused) return error.code === 'unauthorized' ? 'gone' : 'unproven';
      throw error;
    }
  }

  /**
   * Handles a callback without a known transaction: a person in the account area was probably connecting a provider.
   * @returns null outside the account area
   */
  async redirectUnknown(context: RequestContext): Promise<RedirectOutcome | null> {
    return (await this.#findSession(context)) ? redirect(buildConnectFailureUrl(PATHS.manage, 'expired')) : null;
  }

  async #findSession({ manageSession }: RequestContext) {
    return manageSession === null ? null : this.sessions.findByCookie(manageSession);
  }
}

function redirectOutside(): RedirectOutcome {
  return redirect(`${PATHS.manageError}unauthorized`);
}
