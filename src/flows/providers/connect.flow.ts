/**
 * Connecting a provider to the account of somebody in the account area: what was begun there ends here, only in the very
 * session that began it (MAN-10, S-73).
 */
import { Injectable } from '@nestjs/common';
import { AreaSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import { CredentialsFrozen } from '../../accounts/account/credential-freeze.js';
import { ExternalIdentities } from '../../accounts/identities/external-identities.js';
import type { ProviderErrand } from '../../accounts/secrets/provider-transactions.js';
import { PATHS } from '../../contract/paths.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { RedirectOutcome } from '../../gateway/page/outcome.js';
import type { Visit } from '../../gateway/http/request-context.js';
import { connectedUrl, connectFailedUrl } from '../../providers/connect-return.js';
import type { ConnectError } from '../../providers/connect-return.js';
import type { ProviderProfile } from '../../providers/identity-providers.port.js';
import type { Proof } from './provider-proof.js';

export interface ConnectErrand {
  provider: ProviderProfile;
  errand: Extract<ProviderErrand, { kind: 'connect' }>;
  prove: () => Promise<Proof>;
}

const REFUSALS: Readonly<Partial<Record<string, ConnectError>>> = { other: 'other_connected', frozen: 'frozen' };
const ERRORS = { cancelled: 'access_denied', refused: 'refused', unavailable: 'unavailable' } as const;

@Injectable()
export class ConnectingFlow {
  constructor(
    private readonly sessions: AreaSessionRecords,
    private readonly identities: ExternalIdentities,
  ) {}

  async finish({ provider, errand, prove }: ConnectErrand, visit: Visit): Promise<RedirectOutcome> {
    const { returnTo, accountId, sessionId } = errand;
    // Whoever has left the area, or is somebody else in it by now, gets nobody else's account connected.
    if ((await this.#session(visit))?.sessionId !== sessionId) return outside();
    const proof = await prove();
    if (proof.kind !== 'proven') return redirect(connectFailedUrl(returnTo, ERRORS[proof.kind]));
    const { address, requestId } = visit;
    const outcome = await this.#connect({
      accountId,
      provider: provider.id,
      providerName: provider.name,
      identity: proof.identity,
      sessionId,
      by: { actor: 'person', address, requestId },
    });
    if (outcome === 'gone') return outside();
    const error = REFUSALS[outcome];
    return redirect(error ? connectFailedUrl(returnTo, error) : connectedUrl(returnTo));
  }

  /** The owner may have said "that was not me" while somebody was at the provider. */
  async #connect(wanted: Parameters<ExternalIdentities['connect']>[0]) {
    try {
      return await this.identities.connect(wanted);
    } catch (error) {
      if (error instanceof CredentialsFrozen) return 'frozen';
      throw error;
    }
  }

  /** An answer to nothing that is known; whoever is in the area was probably connecting. */
  async lost(visit: Visit): Promise<RedirectOutcome | null> {
    return (await this.#session(visit)) ? redirect(connectFailedUrl(PATHS.manage, 'expired')) : null;
  }

  async #session({ session }: Visit) {
    return session === null ? null : this.sessions.findByCookie(session);
  }
}

function outside(): RedirectOutcome {
  return redirect(`${PATHS.manageError}unauthorized`);
}
