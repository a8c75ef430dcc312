/** Answers of the operator API about help desk checks. */

/** A help desk check. Its words are shown only to the person, on their own page. */
export interface SupportCheckAnswer {
  id: string;
  /** `refused` after three wrong answers: begin another check. */
  state: 'open' | 'passed' | 'refused';
  /** How many answers may still be given. */
  tries_left: number;
  /**
   * After this time the words are not accepted. Once it has passed: until then it admits one factor reset or removal, another address,
   * a link to a new password, or a link to a person of a source, by the operator who passed it.
   */
  expires_at: string;
}
