/** A failure of the kit or of a step. The message is written for the reader of the test output. */
export class KitError extends Error {
  override readonly name = 'KitError';
}

/** Foyer refused a sign-in. `page` is the page that was shown instead, and `reason` its error. */
export class SignInRefused extends KitError {
  constructor(
    readonly page: string,
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}
