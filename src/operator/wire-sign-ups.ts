/** Answers of the operator API about people who signed up and wait for a decision. */

/** A person who signed up and waits for a decision (`REGISTRATION=own-with-approval`). */
export interface SignUpAnswer {
  id: string;
  /** Proven by a code. */
  email: string;
  /** The username that the person has chosen; null if people are not asked for one. */
  username: string | null;
  display_name: string | null;
  /** Texts as the person has entered them. */
  attributes: Readonly<Record<string, string>>;
  /** The app in which the person signed up. */
  client_id: string;
  client_name: string;
  asked_at: string;
  /** After this time the sign-up is not approved. */
  expires_at: string;
}

/** A page of people who wait, those who have waited longest first. */
export interface SignUpListAnswer {
  sign_ups: SignUpAnswer[];
  /** Value of `cursor` for the next page; absent on the last page. */
  next_cursor?: string;
}

/** The person who was refused. */
export interface SignUpRefusedAnswer {
  id: string;
}
