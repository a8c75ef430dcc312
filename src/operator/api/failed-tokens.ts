/**
 * Counts calls with a wrong token or without a token, for each network, in memory. Random tokens cannot be guessed, so the limit only
 * keeps a misconfigured client from filling the log. The correct token is always accepted; otherwise one client could lock out
 * everybody in its network.
 */
import { Injectable } from '@nestjs/common';
import { toNetwork } from '../../accounts/audit/network.js';
import { Clock } from '../../config/clock.js';

const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;
const MAX_NETWORKS = 1000;

interface Window {
  failures: number;
  endsAt: number;
}

@Injectable()
export class FailedTokens {
  readonly #windows = new Map<string, Window>();

  constructor(private readonly clock: Clock) {}

  /**
   * @returns the seconds to wait, 0 up to the limit; `isFirstOverLimit` is true for the first failure over the limit, which is the
   * last that is logged
   */
  count(address: string): { waitSeconds: number; isFirstOverLimit: boolean } {
    const now = this.clock.now().getTime();
    const window = this.#openWindow(toNetwork(address), now);
    window.failures += 1;
    if (window.failures <= MAX_FAILURES) return { waitSeconds: 0, isFirstOverLimit: false };
    return { waitSeconds: Math.ceil((window.endsAt - now) / 1000), isFirstOverLimit: window.failures === MAX_FAILURES + 1 };
  }

  #openWindow(key: string, now: number): Window {
    const currentWindow = this.#windows.get(key);
    if (currentWindow && currentWindow.endsAt > now) return currentWindow;
    this.#windows.delete(key);
    if (this.#windows.size >= MAX_NETWORKS) this.#forgetOldestWindow();
    const window = { failures: 0, endsAt: now + WINDOW_MS };
    this.#windows.set(key, window);
    return window;
  }

  /** A map keeps its insertion order, and windows end in that order. */
  #forgetOldestWindow(): void {
    const [oldestNetwork] = this.#windows.keys();
    if (oldestNetwork !== undefined) this.#windows.delete(oldestNetwork);
  }
}
