/** A name or an id belongs to more than one person: nobody is signed in by it, here or at a source that comes later. */
export class SeveralPeople extends Error {
  constructor(readonly source: string) {
    super(`More than one person of the source ${source} is found where there may be one.`);
    this.name = 'SeveralPeople';
  }
}

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
