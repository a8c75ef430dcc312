/** The service's keys cannot be read: nothing can be said about its answer now. */
export class RegistrationUnavailable extends Error {
  constructor(reason: string) {
    super(`The registration service is not available: ${reason}`);
    this.name = 'RegistrationUnavailable';
  }
}

/** An answer that proves nothing. The message is for the log, without secrets. */
export class AnswerRefused extends Error {
  constructor(reason: string) {
    super(`The answer of the registration service is refused: ${reason}`);
    this.name = 'AnswerRefused';
  }
}
