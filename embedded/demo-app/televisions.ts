/**
 * The televisions of the demo app, in memory. The token endpoint is polled only when the browser of a waiting television sends
 * a request, and at most once per interval (RFC 8628, section 3.5).
 */
import type { DeviceClient, DeviceCodes } from './device-client.js';
import { keep, createId } from './portal-sessions.js';
import { IssuerUnreachable, ProtocolFailure, OAuthError } from './protocol-errors.js';
import type { TokenSet } from './token-set.js';

/** The maximum number of televisions that wait at the same time. Further ones are refused until fewer wait. */
export const WAITING_LIMIT = 100;
const SLOW_DOWN_SECONDS = 5;
const MAX_INTERVAL_SECONDS = 60;

/**
 * Error codes that end the wait with a state of their own (RFC 8628, section 3.5; RFC 6749, section 5.2). A code may expire at the
 * issuer earlier than the television expects.
 */
const END_STATES: Readonly<Record<string, 'denied' | 'expired'>> = {
  access_denied: 'denied',
  expired_token: 'expired',
  invalid_grant: 'expired',
};
/** Errors that say nothing about this sign-in, so the television goes on polling. */
const OUTAGES: readonly string[] = ['server_error', 'temporarily_unavailable'];

export type TelevisionState =
  | { name: 'waiting'; codes: DeviceCodes; secondsLeft: number; intervalSeconds: number }
  | { name: 'signed_in'; tokens: TokenSet }
  | { name: 'denied' | 'expired' | 'failed' };

export type DevicePort = Pick<DeviceClient, 'start' | 'redeem' | 'revoke'>;

/** The limit of waiting televisions is reached. */
export class TooManyTelevisions extends Error {
  override readonly name = 'TooManyTelevisions';
}

export class Television {
  #end: Exclude<TelevisionState, { name: 'waiting' }> | undefined;
  #intervalSeconds: number;
  #pollAtMs: number;
  readonly #expiresAtMs: number;
  #currentPoll: Promise<void> | undefined;

  constructor(
    private readonly codes: DeviceCodes,
    private readonly device: DevicePort,
    private readonly nowMs: () => number,
  ) {
    this.#intervalSeconds = codes.intervalSeconds;
    this.#pollAtMs = nowMs() + codes.intervalSeconds * 1000;
    this.#expiresAtMs = nowMs() + codes.lifetimeSeconds * 1000;
  }

  get isWaiting(): boolean {
    return this.#end === undefined && this.nowMs() < this.#expiresAtMs;
  }

  /** Polls the token endpoint if the television is waiting and the interval has passed. @returns the state after that */
  async updateState(): Promise<TelevisionState> {
    if (this.isWaiting && this.nowMs() >= this.#pollAtMs) await (this.#currentPoll ??= this.#poll());
    if (this.#end) return this.#end;
    if (!this.isWaiting) return { name: 'expired' };
    const secondsLeft = (this.#expiresAtMs - this.nowMs()) / 1000;
    return { name: 'waiting', codes: this.codes, secondsLeft, intervalSeconds: this.#intervalSeconds };
  }

  async #poll(): Promise<void> {
    try {
      this.#end = { name: 'signed_in', tokens: await this.device.redeem(this.codes.deviceCode) };
    } catch (error) {
      this.#handlePollError(error);
    } finally {
      // The interval begins with the answer, so that a slow answer does not make the next request come too early.
      this.#pollAtMs = this.nowMs() + this.#intervalSeconds * 1000;
      this.#currentPoll = undefined;
    }
  }

  #handlePollError(error: unknown): void {
    if (error instanceof IssuerUnreachable || (error instanceof OAuthError && OUTAGES.includes(error.code))) {
      // After a timeout the device must poll less often (RFC 8628, section 3.5). The same is done for every other outage.
      this.#intervalSeconds = Math.max(this.#intervalSeconds, Math.min(this.#intervalSeconds * 2, MAX_INTERVAL_SECONDS));
    } else if (error instanceof OAuthError) {
      if (error.code === 'slow_down') this.#intervalSeconds += SLOW_DOWN_SECONDS;
      else if (error.code !== 'authorization_pending') this.#end = { name: END_STATES[error.code] ?? 'failed' };
    } else if (error instanceof ProtocolFailure) {
      this.#end = { name: 'failed' };
    } else throw error;
  }
}

export class Televisions {
  readonly #televisions = new Map<string, Television>();
  #pendingStarts = 0;

  constructor(
    private readonly device: DevicePort,
    private readonly nowMs: () => number,
  ) {}

  /**
   * @param previousId id of the television that this browser showed before; it ends as soon as there is a new code
   * @returns the id of the new television
   * @throws TooManyTelevisions and the errors of the device client
   */
  async start(previousId: string | undefined): Promise<string> {
    const otherCount = [...this.#televisions].filter(([id, { isWaiting }]) => isWaiting && id !== previousId).length;
    if (otherCount + this.#pendingStarts >= WAITING_LIMIT) throw new TooManyTelevisions();
    this.#pendingStarts += 1;
    try {
      const codes = await this.device.start();
      if (previousId !== undefined) this.#televisions.delete(previousId);
      const id = createId();
      keep(this.#televisions, id, new Television(codes, this.device, this.nowMs));
      return id;
    } finally {
      this.#pendingStarts -= 1;
    }
  }

  find(id: string | undefined): Television | null {
    return (id === undefined ? undefined : this.#televisions.get(id)) ?? null;
  }

  /** If the issuer does not answer, the television stays signed in, because its token would stay valid. @throws IssuerUnreachable */
  async signOut(id: string): Promise<void> {
    const state = await this.#televisions.get(id)?.updateState();
    if (state?.name !== 'signed_in') return;
    await this.device.revoke(state.tokens).catch((error: unknown) => {
      if (error instanceof IssuerUnreachable) throw error;
    });
    this.#televisions.delete(id);
  }
}
