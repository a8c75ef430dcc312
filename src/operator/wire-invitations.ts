/** Answers of the operator API about invitations of people who have no account yet. */

/** An invitation. Its link is only in the mail. */
export interface InvitationAnswer {
  id: string;
  email: string;
  state: 'open' | 'used' | 'withdrawn' | 'expired';
  /** Filled in on the page; the person may change it. */
  display_name: string | null;
  group_name: string | null;
  /** Groups in addition to `group_name`. */
  groups: readonly string[];
  attributes: Readonly<Record<string, unknown>>;
  /** The app to which the page leads. */
  client_id: string | null;
  language: string | null;
  /** The name of the inviter that the mail and the page show. */
  inviter: string | null;
  /** `operator`, or `operator:` and the name of a token or the username of an operator. */
  invited_by: string;
  reason: string | null;
  created_at: string;
  /** When the last link was mailed. */
  sent_at: string;
  expires_at: string;
  /** When it was used or withdrawn. */
  ended_at: string | null;
  /** The account that was created with it. */
  account_id: string | null;
  username: string | null;
  /** Whether an account has the address of an open or expired invitation, so that no link of it can create another account. */
  has_account: boolean;
}

/** A page of invitations, newest first. */
export interface InvitationListAnswer {
  invitations: InvitationAnswer[];
  /** Value of `cursor` for the next page; absent on the last page. */
  next_cursor?: string;
}

/** The result of one row of a call with many invitations. */
export interface InvitationRowAnswer {
  /** Number of the row in the call, from 1. */
  row: number;
  result: 'invited' | 'invalid';
  /** The address in the row, cut to 254 characters; absent if the row has no string there. */
  email?: string;
  /** With `invited`. */
  id?: string;
  /** With `invalid`: the code of the error. */
  error?: string;
  message?: string;
  /** The member that the error is about. */
  field?: string;
  /** JSON Pointer into the member. */
  pointer?: string;
}

/** The results in the order of the rows. */
export interface InvitationsCreatedAnswer {
  results: InvitationRowAnswer[];
}

/** The invitation, and whether the call ended it. */
export interface InvitationWithdrawnAnswer extends InvitationAnswer {
  withdrawn: boolean;
}
