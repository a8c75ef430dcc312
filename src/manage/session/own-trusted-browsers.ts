/** Lists the trusted browsers of the account, and ends the trust. An access token alone is not enough. */
import { Injectable } from '@nestjs/common';
import { TrustedBrowsers, type TrustedBrowser } from '../../accounts/sessions/trusted-browsers.js';
import type { TrustedBrowserState } from '../../contract/manage-state.js';
import { FreshProof } from './fresh-proof.js';
import type { ManageContext } from './manage-session.js';

@Injectable()
export class OwnTrustedBrowsers {
  constructor(
    private readonly proof: FreshProof,
    private readonly trustedBrowsers: TrustedBrowsers,
  ) {}

  /** @throws ProofRequired */
  async list(manageContext: ManageContext): Promise<TrustedBrowserState[]> {
    await this.proof.requireSignIn(manageContext);
    const { account, context } = manageContext;
    return (await this.trustedBrowsers.list(account.id, context.trustedBrowserSecrets)).map(toTrustedState);
  }

  /** @param id of a trusted browser; null for all of them @returns how many are no longer trusted @throws ProofRequired */
  async end(id: string | null, manageContext: ManageContext): Promise<number> {
    await this.proof.requireSignIn(manageContext);
    return this.trustedBrowsers.end(manageContext.account.id, id, manageContext.auditContext);
  }
}

function toTrustedState({ id, browser, since, lastUsedAt, expiresAt, isThis }: TrustedBrowser): TrustedBrowserState {
  return {
    id,
    name: browser ?? null,
    is_this: isThis,
    created_at: since.toISOString(),
    last_used_at: lastUsedAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}
