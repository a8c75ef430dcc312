/**
 * Continues an older tab, whose request was overtaken by a newer one of the same client (LOG-14). Hydra keeps one anti-forgery cookie
 * for each client, so Hydra cannot finish the older request any more. The proof or confirmation of the older tab is stored for 60
 * seconds, and the request starts again from its own address. `steps/carried-tab.ts` continues it.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { BrowserSession } from '../../accounts/sessions/browser-sessions.js';
import { SignInRecords, type CarriedProof, type CarryTarget } from '../../accounts/sessions/sign-in-records.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { randomToken } from '../../config/keys.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { redirect, type RedirectOutcome } from '../../gateway/page/outcome.js';
import { AuthorizationRequest } from '../../hydra/authorization-request.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import type { AcceptableProof } from './accept.js';
import { isOvertaken } from './opened-requests.js';
import { writeProof, type SignIn } from './sign-in.js';

/** The state of an older tab, with which its request continues after it has started again. */
export type CarriedState = { client: string } & (
  | ({ by: 'proof'; proof: string } & Pick<AcceptableProof, 'trusts'>)
  | ({ by: 'session' } & ConfirmedSession)
);

/** A session that the person has confirmed, or in which the person has decided on the consent page. */
export interface ConfirmedSession {
  /** When the person was proven, in ms since the epoch. A session with an earlier time is not the confirmed session. */
  authTime: number;
  /** The address of the request as the client sent it; set if the request starts again without a `prompt` that was fulfilled. */
  original?: string;
}

@Injectable()
export class CarryOn {
  constructor(
    private readonly records: SignInRecords,
    @Inject(CONFIG) private readonly config: Pick<Config, 'hydra'>,
  ) {}

  /**
   * @returns null if the login must be accepted here, because the request is the newest of its client or cannot start again
   * @throws ProofOutdated
   */
  async carryProof(
    { request }: SignIn,
    { trusts, ...stepResult }: AcceptableProof,
    context: RequestContext,
  ): Promise<RedirectOutcome | null> {
    const { account, amr, credential } = stepResult.proof;
    // The browser may come back with another device id, which an attacker has planted, so the device is looked up again. After a
    // restart, no passkey is offered, and no identity is connected.
    const browser = { ...stepResult.browser, isOwnedDevice: undefined, passkeyCreation: undefined, connectOffer: undefined };
    const proof = writeProof({ ...stepResult, browser });
    const content: CarriedState = { client: request.client.id, by: 'proof', proof, trusts };
    return this.#carry(request, { accountId: account.id, amr, ...credential, content }, context);
  }

  /** Carries a session that the person has confirmed. Returns and throws like `carryProof`. */
  async carrySession(
    { request }: SignIn,
    { accountId, authTime }: BrowserSession,
    context: RequestContext,
  ): Promise<RedirectOutcome | null> {
    const content: CarriedState = { client: request.client.id, by: 'session', authTime: authTime.getTime() };
    return this.#carry(request, { accountId, amr: [], content }, context);
  }

  /** Carries the session of a decision on the consent page to the address at which its request starts again. @throws ProofOutdated */
  async carrySessionTo(
    target: CarryTarget,
    { accountId, client, ...confirmedSession }: ConfirmedSession & { accountId: string; client: string },
  ): Promise<void> {
    const content: CarriedState = { client, by: 'session', ...confirmedSession };
    await this.records.carry(target, { accountId, amr: [], proof: JSON.stringify(content) });
  }

  async #carry(
    request: LoginRequest,
    { content, ...proof }: Omit<CarriedProof, 'proof'> & { content: CarriedState },
    context: RequestContext,
  ): Promise<RedirectOutcome | null> {
    const requestUrl = this.#findRestartUrl(request, context);
    if (requestUrl === null) return null;
    const secret = randomToken();
    await this.records.carry({ requestUrl, secret, browser: context.browser }, { ...proof, proof: JSON.stringify(content) });
    return redirect(requestUrl, { carried: secret });
  }

  #findRestartUrl(request: LoginRequest, context: RequestContext): string | null {
    if (!isOvertaken('login', request, context)) return null;
    const authorizationRequest = AuthorizationRequest.parse(request.requestUrl, this.config.hydra.publicUrl);
    if (!authorizationRequest) return null;
    const mayRestart = authorizationRequest.canStartAgain() || authorizationRequest.isDevice;
    return mayRestart ? authorizationRequest.withRegistrationDone() : null;
  }
}
