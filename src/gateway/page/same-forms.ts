/**
 * Answers the second request of a double click with the answer to the first one, instead of an error about a code that was already used.
 * This works while the first request runs in this process; later, the answer that is stored for the challenge is repeated.
 */
export class SameForms<Answer> {
  readonly #running = new Map<string, Promise<Answer>>();

  /** @param parts values that identify a form */
  runOnce(parts: readonly string[], work: () => Promise<Answer>): Promise<Answer> {
    const key = JSON.stringify(parts);
    const runningAnswer = this.#running.get(key);
    if (runningAnswer) return runningAnswer;
    const answer = work().finally(() => this.#running.delete(key));
    this.#running.set(key, answer);
    return answer;
  }
}
