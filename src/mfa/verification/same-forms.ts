/**
 * Two clicks on one form: the second one gets the answer of the first instead of an answer of its own, which would be
 * that the code is used. Only while the first is under way here; afterwards the challenge's own record answers.
 */
export class SameForms<Answer> {
  readonly #running = new Map<string, Promise<Answer>>();

  /** @param parts what makes two forms the same */
  once(parts: readonly string[], work: () => Promise<Answer>): Promise<Answer> {
    const key = JSON.stringify(parts);
    const running = this.#running.get(key);
    if (running) return running;
    const answer = work().finally(() => this.#running.delete(key));
    this.#running.set(key, answer);
    return answer;
  }
}
