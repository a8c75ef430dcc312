/** Why an approval cannot be read, decided or used. Nothing was changed. */
export type ApprovalRefusal =
  | 'not-found'
  | 'decided'
  | 'expired'
  /** The approved export has already begun. */
  | 'used'
  /**
   * Approved or rejected by the operator or token that requested the operation, or approved again by the operator who has supported
   * it.
   */
  | 'own'
  /** Withdrawn by an operator or token that did not request the operation. */
  | 'not-own'
  /** Approved by a token that may not approve. */
  | 'token'
  /** Approved by the person whose account the operation would change. */
  | 'concerned'
  /** The help desk has not checked who was calling, and the person still has time to stop the operation. */
  | 'too-early'
  | 'asker-without-right'
  /** The account has changed since the request. */
  | 'outdated';

export class ApprovalRefused extends Error {
  constructor(readonly reason: ApprovalRefusal) {
    super(reason);
    this.name = 'ApprovalRefused';
  }
}
