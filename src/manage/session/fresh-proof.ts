/**
 * Sensitive changes want somebody who has lately proven a password or a factor (MAN-14, ASVS 7.5.1), and an account whose
 * owner has not just said "that was not me".
 */
import { Inject, Injectable } from '@nestjs/common';
import { CredentialFreeze } from '../../accounts/account/credential-freeze.js';
import { Factors } from '../../accounts/factors/factors.js';
import { PasswordProof } from '../../accounts/password/proof.js';
import { ProofCodes } from '../../accounts/secrets/proof-codes.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import type { ManageConfirmState } from '../../contract/manage-state.js';
import { MANAGE_QUERY, FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { ThrownOutcome, redirect } from '../../gateway/page/outcome.js';
import { ManagePages } from './manage-pages.js';
import { confirmPage, placeToGoOn } from './confirm.page.js';
import { hiddenAddress } from './hidden-address.js';
import type { ManageContext } from './manage-session.js';

type Ways = Pick<ManageConfirmState, 'methods' | 'mail'>;

@Injectable()
export class FreshProof {
  constructor(
    private readonly factors: Factors,
    private readonly passwords: PasswordProof,
    private readonly codes: ProofCodes,
    private readonly edge: ManagePages,
    private readonly freeze: CredentialFreeze,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mail'>,
  ) {}

  /** A code by mail only where there is nothing else: whoever signs in by a provider alone. */
  async waysOf({ account, session }: ManageContext): Promise<Ways> {
    const { id: accountId, email } = account;
    const [isSet, { totp, keys }] = await Promise.all([this.passwords.isSet(accountId), this.factors.status(accountId)]);
    const methods: Ways['methods'] = [
      ...(isSet ? ['password' as const] : []),
      ...(totp ? ['totp' as const] : []),
      ...(keys > 0 ? ['fido2' as const] : []),
    ];
    if (methods.length > 0 || email === undefined || !this.config.mail.server) return { methods };
    const sent = await this.codes.isWaiting({ accountId, sessionId: session.sessionId });
    return { methods: ['mail'], mail: { address: hiddenAddress(email), sent } };
  }

  /** A set-up during a sign-in comes with the proof of that sign-in. Throws CallFailed with the ways to prove it. */
  async requireForCall(current: ManageContext): Promise<void> {
    const { session } = current;
    if (session.scope === 'enrol') return;
    await this.requireThawedForCall(session.accountId);
    if (session.isFresh) return;
    const { methods } = await this.waysOf(current);
    throw new CallFailed('proof required', { detail: { methods } });
  }

  /** @throws CallFailed */
  async requireThawedForCall(accountId: string): Promise<void> {
    const frozen = await this.freeze.find(accountId);
    if (frozen) throw new CallFailed('credentials frozen', { retryAfterSeconds: frozen.seconds });
  }

  /** Throws a detour to the overview, which says so. */
  async requireThawedForPage(accountId: string): Promise<void> {
    if (await this.freeze.find(accountId)) throw new ThrownOutcome(redirect(PATHS.manage));
  }

  /** Throws a detour to the question, at the same address. @param next where to go on; the address itself unless told */
  async requireForPage(current: ManageContext, next?: string): Promise<void> {
    const { session, context } = current;
    await this.requireThawedForPage(session.accountId);
    if (session.isFresh) return;
    const place = placeToGoOn(next ?? context.path);
    const again = `${PATHS.manageConfirm}?${FIELDS.next}=${encodeURIComponent(place)}`;
    const confirmation = {
      ...(await this.waysOf(current)),
      method: new URL(context.url, 'http://area').searchParams.get(MANAGE_QUERY.method),
      next: place,
      options: context.form === null ? {} : { status: 403, self: again },
    };
    throw new ThrownOutcome(confirmPage(this.edge, current, confirmation));
  }
}
