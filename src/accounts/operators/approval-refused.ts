/** Why an approval cannot be decided. Nothing was changed. */
export type ApprovalRefusal =
  | 'not-found'
  | 'decided'
  | 'expired'
  | 'used'
  /** By the one who asked, or by the operator who has already supported it. */
  | 'own'
  /** Withdrawn by somebody else. */
  | 'not-own'
  /** By a token. */
  | 'token'
  /** By the person to whose account it would be done. */
  | 'concerned'
  /** Nobody has checked who is calling, and the person has still time to stop it. */
  | 'too-early'
  | 'asker-without-right'
  /** The account has changed since. */
  | 'outdated';

export class ApprovalRefused extends Error {
  constructor(readonly reason: ApprovalRefusal) {
    super(reason);
    this.name = 'ApprovalRefused';
  }
}
