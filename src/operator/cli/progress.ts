/** Shows the progress of long work on a terminal, updates it at most ten times a second, and removes it at the end. */
import type { Terminal } from './terminal.js';

const INTERVAL_MS = 100;

export class Progress {
  readonly #startedAt = performance.now();
  #shownAt = -Infinity;

  constructor(
    private readonly terminal: Terminal,
    /** Name of the counted items, such as `lines`. */
    private readonly items: string,
  ) {}

  /** @param share completed part of the total, from 0 to 1, if it is known */
  show(count: number, share?: number): void {
    const now = performance.now();
    if (!this.terminal.progress || now - this.#shownAt < INTERVAL_MS) return;
    this.#shownAt = now;
    const seconds = (now - this.#startedAt) / 1000;
    const rate = seconds > 1 ? `  ${formatNumber(Math.round(count / seconds))}/s` : '';
    const percentage = share === undefined ? '' : `${Math.floor(share * 100)} %  `;
    this.terminal.progress(`${percentage}${formatNumber(count)} ${this.items}${rate}`);
  }

  end(): void {
    this.terminal.progress?.('');
  }
}

/** Formats a number as `12 345`, which is readable in every locale. */
export function formatNumber(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
}
