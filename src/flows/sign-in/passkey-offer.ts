/**
 * Leads a browser that can create a passkey to a page that offers one, between the accepted login and the app, once for each
 * account in that browser. `OfferedPasskeys` stores the offer; the page is in `flows/passkey-offer`.
 */
import { Inject, Injectable } from '@nestjs/common';
import { toAccountState } from '../../accounts/account/account-state.js';
import type { FactorCounts } from '../../accounts/account/factor-counts.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Keys } from '../../config/keys.js';
import { hasFactorMethod } from '../../contract/authentication.js';
import type { AccountState, ClientState } from '../../contract/page-state.js';
import { redirect, type PageOptions, type RedirectOutcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { OfferedPasskeys } from '../../mfa/factors/passkey/offered-passkeys.js';
import { isSecondFactor } from '../../mfa/held-factors.js';
import { findHeldKinds } from '../../mfa/registry.js';
import { FlowPages } from './flow-pages.js';
import { toOfferUrl } from './login-url.js';
import type { StepResult } from './sign-in.js';
import { toClientState } from './waiting-request.js';

/** The content of the page, and the address to which its form leads. */
export interface OfferContent {
  /** Where the accepted login leads. */
  url: string;
  account: AccountState;
  client: ClientState;
  ticket: string;
  /** Whether the browser creates the passkey without asking the person (`conditionalCreate`). */
  unasked: boolean;
  options: PageOptions;
}

@Injectable()
export class PasskeyOffer {
  constructor(
    private readonly offers: OfferedPasskeys,
    private readonly pages: FlowPages,
    private readonly keys: Keys,
    @Inject(CONFIG) private readonly config: Pick<Config, 'passkeys'>,
  ) {}

  /** @param outcome the answer to the sign-in. @returns the answer that replaces it, or `outcome` itself */
  async insertOffer(
    outcome: RedirectOutcome,
    { request, stepResult }: { request: LoginRequest; stepResult: StepResult },
    context: RequestContext,
  ): Promise<RedirectOutcome> {
    const { account, amr, factors } = stepResult.proof;
    const { passkeyCreation } = stepResult.browser;
    const browser = outcome.cookies.browser?.id;
    if (browser === undefined || passkeyCreation === undefined || !this.#mayOffer(amr, factors)) return outcome;
    const mark = this.keys.mac('offer-mark', account.id);
    if (context.passkeyOfferMarks.includes(mark)) return outcome;
    const { challenge } = request;
    const unasked = passkeyCreation === 'unasked' && this.config.passkeys.offer === 'automatic';
    const content: OfferContent = {
      url: outcome.url,
      account: toAccountState(account),
      client: toClientState(request.client),
      ticket: this.pages.ticket(request),
      unasked,
      options: this.pages.pageOptions(request),
    };
    const isOpen = await this.offers.offer({ account, browser, challenge, unasked }, content);
    return isOpen
      ? redirect(toOfferUrl(challenge), { ...outcome.cookies, offered: [mark, ...context.passkeyOfferMarks] })
      : outcome;
  }

  /** An account with factors must have proven one: in a trusted browser, a password alone must not be enough for a new passkey. */
  #mayOffer(amr: readonly string[], factors: FactorCounts): boolean {
    const { mode, offer } = this.config.passkeys;
    if (mode === 'off' || offer === 'off' || !amr.includes('pwd')) return false;
    const heldKinds = findHeldKinds(factors);
    return heldKinds.every(isSecondFactor) && (heldKinds.length === 0 || hasFactorMethod(amr));
  }
}
