/**
 * Answers the second request of a double click with the answer to the first one, instead of an error about a code that was already used.
 * This works while the first request runs in this process; later, only flows that store their answer for the challenge repeat it.
 */
export class SameForms<Answer> {
  readonly #runningAnswers = new Map<string, Promise<Answer>>();

  /** @param parts values that identify a form */
  runOnce(parts: readonly string[], work: () => Promise<Answer>): Promise<Answer> {
    const key = JSON.stringify(parts);
    const runningAnswer = this.#runningAnswers.get(key);
    if (runningAnswer) return runningAnswer;
    const answer = work().finally(() => this.#runningAnswers.delete(key));
    this.#runningAnswers.set(key, answer);
    return answer;
  }
}
