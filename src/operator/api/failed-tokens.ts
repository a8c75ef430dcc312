/**
 * Counts wrong tokens per address, in memory. A token is drawn at random and cannot be guessed, so this only keeps a
 * client with a wrong setting from filling the log; the right token is always taken, or anybody on this machine could shut the
 * operator out.
 */
import { Injectable } from '@nestjs/common';
import { networkOf } from '../../accounts/audit/network.js';
import { Clock } from '../../config/clock.js';

const MOST_FAILURES = 10;
const WINDOW_MS = 60_000;
const MOST_ADDRESSES = 1000;

interface Window {
  failures: number;
  endsAt: number;
}

@Injectable()
export class FailedTokens {
  readonly #windows = new Map<string, Window>();

  constructor(private readonly clock: Clock) {}

  /** @returns seconds to wait once there were too many; 0 before. `isFirst`: this failure was the one too many */
  count(address: string): { waitSeconds: number; isFirst: boolean } {
    const now = this.clock.now().getTime();
    const window = this.#window(networkOf(address), now);
    window.failures += 1;
    if (window.failures <= MOST_FAILURES) return { waitSeconds: 0, isFirst: false };
    return { waitSeconds: Math.ceil((window.endsAt - now) / 1000), isFirst: window.failures === MOST_FAILURES + 1 };
  }

  #window(key: string, now: number): Window {
    const known = this.#windows.get(key);
    if (known && known.endsAt > now) return known;
    this.#windows.delete(key);
    if (this.#windows.size >= MOST_ADDRESSES) this.#forgetOldest();
    const window = { failures: 0, endsAt: now + WINDOW_MS };
    this.#windows.set(key, window);
    return window;
  }

  /** A map keeps the order in which windows began, which is that in which they end. */
  #forgetOldest(): void {
    const [oldest] = this.#windows.keys();
    if (oldest !== undefined) this.#windows.delete(oldest);
  }
}
