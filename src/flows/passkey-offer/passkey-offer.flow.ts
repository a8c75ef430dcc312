/**
 * Offers a passkey after a sign-in. The login is already accepted, so both a new passkey and a refusal lead to the app: through the
 * address that Hydra returned, or, if the offer has ended, through a restart of the request, which continues in the existing session. If
 * the request cannot be restarted, the person is redirected to its login page.
 */
import { Injectable } from '@nestjs/common';
import { Accounts } from '../../accounts/account/accounts.js';
import { CredentialsFrozen } from '../../accounts/account/credential-freeze.js';
import { page, redirect, type Outcome, type PageOptions } from '../../gateway/page/outcome.js';
import { SameForms } from '../../gateway/page/same-forms.js';
import { toPerson, type RequestContext } from '../../gateway/http/request-context.js';
import { OfferedPasskeys, type OfferSlot, type WaitingOffer } from '../../mfa/factors/passkey/offered-passkeys.js';
import { FlowPages } from '../sign-in/flow-pages.js';
import { toLoginUrl, toOfferUrl } from '../sign-in/login-url.js';
import type { OfferContent } from '../sign-in/passkey-offer.js';
import type { OfferForm } from './passkey-offer.form.js';

type Offer = WaitingOffer<OfferContent> & { accountId: string };

@Injectable()
export class PasskeyOfferFlow {
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly offers: OfferedPasskeys,
    private readonly accounts: Accounts,
    private readonly pages: FlowPages,
  ) {}

  async show(challenge: string, context: RequestContext): Promise<Outcome> {
    const offer = await this.offers.find<OfferContent>({ browser: context.browser, challenge });
    return offer ? this.#buildPage(offer, { challenge, context }) : redirectToLogin(challenge);
  }

  /** Creates the passkey, unless the form has no credential. A double click creates one passkey. */
  submit(form: OfferForm, context: RequestContext): Promise<Outcome> {
    return this.#answerOnce({ action: 'offer', form }, context, async (offer, slot) => {
      const { credential = '', setup_session: sessionId = '' } = form;
      const isDone = credential === '' || (await this.#createPasskey(offer, { ...slot, credential, sessionId }, context));
      return isDone ? null : this.#buildPage(offer, { challenge: slot.challenge, context, isRefused: true });
    });
  }

  refuse(form: OfferForm, context: RequestContext): Promise<Outcome> {
    return this.#answerOnce({ action: 'refuse', form }, context, async ({ accountId }) => {
      await this.offers.refuse(accountId);
      return null;
    });
  }

  /** @param work returns the page to show, or null to redirect to the app */
  async #answerOnce(
    { action, form: { login_challenge: challenge, ticket } }: { action: string; form: OfferForm },
    context: RequestContext,
    work: (offer: Offer, slot: OfferSlot) => Promise<Outcome | null>,
  ): Promise<Outcome> {
    if (context.xsrf === null) return redirectToLogin(challenge);
    return this.#sameForms.runOnce([action, context.browser, context.xsrf, challenge], async () => {
      const slot = { browser: context.browser, challenge };
      const offer = await this.offers.find<OfferContent>(slot);
      const shownPage = offer && (await work(offer, slot));
      if (shownPage) return shownPage;
      const endedOffer = offer && (await this.offers.end<OfferContent>(slot));
      if (endedOffer) return redirect(endedOffer.content.url);
      // The offer was answered in another tab or process, or has expired.
      const restartUrl = this.pages.restartUrl({ challenge, ticket }, context);
      return restartUrl === null ? redirectToLogin(challenge) : redirect(restartUrl);
    });
  }

  /** @returns false if the credential or the set-up is refused, or the account was deleted or may not be changed now */
  async #createPasskey(
    { accountId }: Offer,
    { credential: credentialJson, sessionId, ...slot }: OfferSlot & { credential: string; sessionId: string },
    context: RequestContext,
  ): Promise<boolean> {
    const account = await this.accounts.find(accountId);
    if (!account) return false;
    const result = await this.offers
      .confirm({ ...slot, account, auditContext: toPerson(context) }, { sessionId, credentialJson })
      .catch((error: unknown) => {
        if (error instanceof CredentialsFrozen) return { kind: 'refused' };
        throw error;
      });
    return result.kind === 'added';
  }

  #buildPage(
    { setup: { sessionId, publicKey }, content }: Offer,
    { challenge, context, isRefused = false }: { challenge: string; context: RequestContext; isRefused?: boolean },
  ): Outcome {
    const { account, client, ticket, unasked } = content;
    const setup = { session_id: sessionId, public_key: publicKey, ...(unasked ? { unasked: true as const } : {}) };
    const passkey_offer = {
      error: isRefused ? ('refused' as const) : null,
      login_challenge: challenge,
      xsrf_token: this.pages.xsrfToken(context),
      ticket,
      account,
      client,
      ...(isRefused ? {} : { setup }),
    };
    const options: PageOptions = { ...content.options, self: toOfferUrl(challenge), ...(isRefused ? { status: 422 } : {}) };
    return page({ page: 'passkey_offer', passkey_offer }, options);
  }
}

/** Redirects to the login page of the request, which reports that the request was used and offers to start it again. */
function redirectToLogin(challenge: string): Outcome {
  return redirect(toLoginUrl(challenge));
}
