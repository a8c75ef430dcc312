/** Answers of the operator API about operations that wait for a second operator. */

/** An operation that waits for a second operator, or has waited. */
export interface ApprovalAnswer {
  id: string;
  /** Id of the operation that is done if it is approved. */
  operation: string;
  /** To whose account it is done; null for an export. */
  account_id: string | null;
  username: string | null;
  display_name: string | null;
  /** Present e-mail address of the account. */
  email: string | null;
  /** What the call contained: the members of its body, and for a factor its id. */
  body: Readonly<Record<string, unknown>>;
  reason: string;
  /** `operator`, or `operator:` and the name of a token or an operator. */
  asked_by: string;
  /** Account of the operator who asked; null for a token. */
  asked_by_account: string | null;
  asked_at: string;
  /** After this time it cannot be approved. */
  expires_at: string;
  /** `stopped`: by the person to whose account it would have been done. */
  state: 'open' | 'approved' | 'rejected' | 'withdrawn' | 'stopped' | 'expired';
  /** How many still have to approve, if whoever reads this does: 2 operators for the request of a token that nobody has approved yet. */
  missing: number;
  /** The first of the two operators that the request of a token needs. */
  supported_by: string | null;
  supported_by_account: string | null;
  decided_by: string | null;
  decided_at: string | null;
  /** Why it was approved, rejected or withdrawn. */
  decision_reason: string | null;
  /** When an approved export began. */
  used_at: string | null;
  /** Whether the operator who asked had checked who is calling (SUPPORT_CHECK). */
  checked: boolean;
  /** If nobody had: it cannot be approved before this time, and the person can stop it. */
  not_before: string | null;
  /**
   * Whether the person was told by a mail with a link that stops it; false if the account has no address, or there is no mail server.
   * Null if nobody has to be told.
   */
  announced: boolean | null;
  /** When the person last stopped the same operation, before this was asked for; null if never. */
  stopped_before: string | null;
}

/** A page of approvals: open ones first, then the newest. */
export interface ApprovalListAnswer {
  approvals: ApprovalAnswer[];
  /** Value of `cursor` for the next page; absent on the last page. */
  next_cursor?: string;
}

/** The result of approving. */
export interface ApprovedAnswer {
  approval: ApprovalAnswer;
  /** The answer of the operation, such as a link; null for an export, and while another operator has to approve. */
  result: Readonly<Record<string, unknown>> | null;
}
