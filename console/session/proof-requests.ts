/** Which proof the page waits for: a sign-in, because the session has ended, or a fresh proof for a dangerous operation. */

export type ProofKind = 'signed_out' | 'proof_outdated';

class ProofRequests {
  #kind: ProofKind | null = null;
  #resolvers: ((isProven: boolean) => void)[] = [];
  readonly #listeners = new Set<() => void>();

  /** @returns whether the proof was given; false if the operator cancelled */
  ask(kind: ProofKind): Promise<boolean> {
    // A proof can be renewed only in a session, so the sign-in comes first.
    this.#change(this.#kind === 'signed_out' ? 'signed_out' : kind);
    return new Promise((resolve) => this.#resolvers.push(resolve));
  }

  settle(isProven: boolean): void {
    const resolvers = this.#resolvers;
    this.#resolvers = [];
    this.#change(null);
    for (const resolve of resolvers) resolve(isProven);
  }

  readonly findKind = (): ProofKind | null => this.#kind;

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
