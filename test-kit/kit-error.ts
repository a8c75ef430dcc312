/** A failure of the kit or of a step, described for the reader of the test's output. */
export class KitError extends Error {
  override readonly name = 'KitError';
}

/** Foyer refused a sign-in. `page` and `reason` are those of the page that was shown instead. */
export class SignInRefused extends KitError {
  constructor(
    readonly page: string,
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}
