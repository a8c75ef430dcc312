/** Which proof the waiting calls need: a sign-in, because the session has ended, or a fresh proof for a dangerous operation. */

export type ProofKind = 'signed_out' | 'proof_outdated';

class ProofRequests {
  #kind: ProofKind | null = null;
  #waiting: ((isProven: boolean) => void)[] = [];
  readonly #listeners = new Set<() => void>();

  /** @returns whether the proof was given; false if the operator cancelled */
  ask(kind: ProofKind): Promise<boolean> {
    // Without a session there is nothing whose proof could be renewed, so the sign-in comes first.
    this.#change(this.#kind === 'signed_out' ? 'signed_out' : kind);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  settle(isProven: boolean): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#change(null);
    for (const resolve of waiting) resolve(isProven);
  }

  readonly current = (): ProofKind | null => this.#kind;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #change(kind: ProofKind | null): void {
    this.#kind = kind;
    for (const listener of this.#listeners) listener();
  }
}

export const proofRequests = new ProofRequests();
