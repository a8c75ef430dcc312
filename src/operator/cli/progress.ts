/** How far long work is, for whoever watches a terminal: ten times a second at most, and gone when the work is done. */
import type { Terminal } from './terminal.js';

const EVERY_MS = 100;

export class Progress {
  readonly #begun = performance.now();
  #shown = -Infinity;

  constructor(
    private readonly terminal: Terminal,
    /** What is counted: `lines`. */
    private readonly what: string,
  ) {}

  /** @param share of the whole, where that is known */
  at(count: number, share?: number): void {
    const now = performance.now();
    if (!this.terminal.progress || now - this.#shown < EVERY_MS) return;
    this.#shown = now;
    const seconds = (now - this.#begun) / 1000;
    const pace = seconds > 1 ? `  ${numberText(Math.round(count / seconds))}/s` : '';
    const part = share === undefined ? '' : `${Math.floor(share * 100)} %  `;
    this.terminal.progress(`${part}${numberText(count)} ${this.what}${pace}`);
  }

  end(): void {
    this.terminal.progress?.('');
  }
}

/** 12 345: the same for every reader of English. */
export function numberText(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
}
