/** Answers of the operator API about operations that wait for a second operator. */

/** An operation that waits or has waited for a second operator. */
export interface ApprovalAnswer {
  id: string;
  /** Id of the operation that is executed after the approval. */
  operation: string;
  /** Account that the operation concerns; null for an export. */
  account_id: string | null;
  username: string | null;
  display_name: string | null;
  /** Current e-mail address of the account. */
  email: string | null;
  /** Contents of the call: the members of its body, the id of a factor, or which secrets an export includes. */
  body: Readonly<Record<string, unknown>>;
  reason: string;
  /** `operator`, or `operator:` and the name of a token or the username of an operator. */
  asked_by: string;
  /** Account of the operator who requested the operation; null for a token. */
  asked_by_account: string | null;
  asked_at: string;
  /** After this time the operation cannot be approved. */
  expires_at: string;
  /** `stopped`: the owner of the account has stopped the operation. */
  state: 'open' | 'approved' | 'rejected' | 'withdrawn' | 'stopped' | 'expired';
  /**
   * How many operators still have to approve the operation; 0 if it no longer waits. 2 if a token requested it and nobody has approved it
   * yet, unless this answer is for a token and tokens may approve (OPERATOR_APPROVAL).
   */
  missing: number;
  /** The first operator who approved, if the request of a token required two; otherwise null. */
  supported_by: string | null;
  supported_by_account: string | null;
  decided_by: string | null;
  decided_at: string | null;
  /** Why the operation was approved, rejected or withdrawn. */
  decision_reason: string | null;
  /** When an approved export began. */
  used_at: string | null;
  /** Whether the operator who requested the operation had checked who is calling (SUPPORT_CHECK). */
  checked: boolean;
  /** Before this time the operation cannot be approved, because nobody has checked who is calling, and the person can stop it. */
  not_before: string | null;
  /**
   * Whether the person was notified by a mail with a link that stops the operation; false if the account has no address, or there is
   * no mail server. Null if nobody has to be notified.
   */
  announced: boolean | null;
  /** When the person last stopped an earlier request for the same operation on the account; null if never. */
  stopped_before: string | null;
}

/** A page of approvals: open approvals first, then the others, newest first. */
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
