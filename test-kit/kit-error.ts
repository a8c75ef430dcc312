/**
 * The kit was used wrongly, could not start a part, or received an answer that it did not expect. The message is written for the reader of
 * the test output.
 */
export class KitError extends Error {
  override readonly name: string = 'KitError';
}

/**
 * Foyer did not continue a sign-in. `page` is the page that was shown, and `reason` its error; `unexpected` for a page that the kit does not
 * answer.
 */
export class SignInRefused extends KitError {
  override readonly name = 'SignInRefused';

  constructor(
    readonly page: string,
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}
