/** A name or an id belongs to more than one person: people of this source and of later sources cannot sign in with it. */
export class SeveralPeople extends Error {
  constructor(readonly source: string) {
    super(`The user source ${source} has more than one person with the same name or id.`);
    this.name = 'SeveralPeople';
  }
}

/** The source did not answer, or its answer cannot be used. Nothing is known about the person or the password. */
export class SourceUnavailable extends Error {
  /** @param reason for the log and the doctor. It contains no name, no password and no text from the source */
  constructor(
    readonly source: string,
    readonly reason: string,
  ) {
    super(`The user source ${source} cannot be used: ${reason}.`);
    this.name = 'SourceUnavailable';
  }
}
