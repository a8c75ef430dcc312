/** The keys of the service cannot be read, so its answer cannot be verified now. */
export class RegistrationUnavailable extends Error {
  constructor(reason: string) {
    super(`The registration service is not available: ${reason}`);
    this.name = 'RegistrationUnavailable';
  }
}

/** The answer proves nothing. The message is for the log and contains no secrets. */
export class AnswerRefused extends Error {
  constructor(reason: string) {
    super(`The answer of the registration service is refused: ${reason}`);
    this.name = 'AnswerRefused';
  }
}
