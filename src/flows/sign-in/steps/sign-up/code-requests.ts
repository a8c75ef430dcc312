/**
 * Requests and checks the code that proves an address, within the limits. The mail is queued in the background, so that the response time
 * does not reveal whether an account has the address (S-25).
 */
import { Inject, Injectable } from '@nestjs/common';
import { SignUpMails } from '../../../../accounts/changes/sign-up-mails.js';
import { RequestLimits } from '../../../../accounts/limits/request-limits.js';
import { AddressCodes } from '../../../../accounts/secrets/address-codes.js';
import { MAILED_CODE_SECONDS } from '../../../../accounts/secrets/mailed-code.js';
import { Clock } from '../../../../config/clock.js';
import { CONFIG } from '../../../../config/config.token.js';
import type { Config } from '../../../../config/config.js';
import { randomToken } from '../../../../config/keys.js';
import { toPerson, type RequestContext } from '../../../../gateway/http/request-context.js';
import { RequestedMails } from '../../requested-mails.js';

/** A code that a browser has requested. `expires`: in ms since the epoch, whether or not a code is mailed. */
export interface RequestedCode {
  id: string;
  expires: number;
}

/** `wrong`, `used-up`, `limited`: see `AddressCodeVerdict`. */
export type SignUpCodeVerdict = { kind: 'right' | 'wrong' | 'used-up' | 'expired' } | { kind: 'limited'; retryAfter: number };

@Injectable()
export class CodeRequests {
  constructor(
    private readonly limits: RequestLimits,
    private readonly mails: SignUpMails,
    private readonly codes: AddressCodes,
    private readonly requestedMails: RequestedMails,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'registration'>,
  ) {}

  create(): RequestedCode {
    return { id: randomToken(), expires: this.clock.now().getTime() + MAILED_CODE_SECONDS * 1000 };
  }

  /** Consumes the code if it is right. An empty code, which browsers that ignore `required` send, is not counted. */
  async enter(
    { id, expires }: RequestedCode,
    { email, typedCode }: { email: string; typedCode: string },
    { address, requestId }: RequestContext,
  ): Promise<SignUpCodeVerdict> {
    if (expires <= this.clock.now().getTime()) return { kind: 'expired' };
    if (typedCode.trim() === '') return { kind: 'wrong' };
    return this.codes.consume({ id, email }, typedCode, { address, requestId, perHour: this.#perHour });
  }

  /** See `SignUpMails`. */
  isFull(): Promise<boolean> {
    return this.mails.isFull();
  }

  /** @returns seconds to wait; null if the mail of `SignUpMails` will be queued in the background */
  async send(
    { id, email, uiLocales }: { id: string; email: string; uiLocales: readonly string[] },
    context: RequestContext,
  ): Promise<number | null> {
    const { browser, address, requestId } = context;
    const retryAfter = await this.limits.countSignUp({ browser, email, address, requestId, perHour: this.#perHour });
    if (retryAfter !== null) return retryAfter;
    const auditContext = toPerson(context, uiLocales);
    this.requestedMails.add({
      requestId,
      queue: () => this.mails.queue({ codeKey: { id, email }, locale: auditContext.locale, auditContext }),
    });
    return null;
  }

  /** Counts a username that is looked up for the owner of this address. @returns seconds to wait; null if it may be looked up */
  async countUsername(email: string, { address, requestId }: RequestContext): Promise<number | null> {
    return this.limits.countSignUpStep('username', email, { address, requestId });
  }

  /** Limit per hour for the installation, both for mailed codes and for wrong codes that are entered. */
  get #perHour(): number {
    return this.config.registration.signUp?.codesPerHour ?? 0;
  }
}
