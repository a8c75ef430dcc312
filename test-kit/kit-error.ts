/** What the kit cannot do, or what did not go as a test wanted it, in a sentence for the person who reads the test's output. */
export class KitError extends Error {
  override readonly name = 'KitError';
}

/** Foyer did not let somebody through. `page` and `reason` are those of the page that was shown instead. */
export class SignInRefused extends KitError {
  constructor(
    readonly page: string,
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}
