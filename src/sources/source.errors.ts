/** The source did not answer, or not in a way that can be used. Nothing is known about the person or the password. */
export class SourceUnavailable extends Error {
  /** @param reason for the log and the doctor: no name, no password, no value from the source */
  constructor(
    readonly source: string,
    readonly reason: string,
  ) {
    super(`The source ${source} cannot be used: ${reason}.`);
    this.name = 'SourceUnavailable';
  }
}
