/**
 * A double click on a form: the second request gets the response of the first, instead of the error that the code is
 * used. Only while the first one runs in this process; later the stored challenge gives the answer.
 */
export class SameForms<Answer> {
  readonly #running = new Map<string, Promise<Answer>>();

  /** @param parts values that identify a form */
  runOnce(parts: readonly string[], work: () => Promise<Answer>): Promise<Answer> {
    const key = JSON.stringify(parts);
    const running = this.#running.get(key);
    if (running) return running;
    const answer = work().finally(() => this.#running.delete(key));
    this.#running.set(key, answer);
    return answer;
  }
}
