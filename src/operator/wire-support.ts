/** Answers of the operator API about help desk checks. */

/** A help desk check. Its words are shown only to the person, on their own page. */
export interface SupportCheckAnswer {
  id: string;
  /** `refused`: three answers were wrong, and a new check is required. */
  state: 'open' | 'passed' | 'refused';
  /** Number of answers that may still be given. */
  tries_left: number;
  /**
   * Until this time the words are accepted. A check that has passed admits one operation of the operator who made it until this time: a
   * factor reset or removal, a change of the address, a link to a new password, or a link to a person of a source.
   */
  expires_at: string;
}
