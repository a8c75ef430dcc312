/** The kinds of mails, as types without code, which the tests of the console use too. */

/** A kind of second factor was set up or removed, such as `totp-added`. The locales contain its text. */
export type FactorNotice = `${string}-added` | `${string}-removed`;

/** Kinds of notices (NTC-1). */
export type NoticeKind =
  | 'password-changed'
  | 'username-changed'
  /** The change was made by an operator or a source. */
  | 'email-changed'
  /** The change was made by the person, in the account area or at a sign-in. */
  | 'own-email-changed'
  | FactorNotice
  | 'recovery-codes-made'
  | 'recovery-code-used'
  | 'factor-stopped'
  | 'factors-reset'
  | 'new-browser'
  | 'data-downloaded'
  | 'provider-connected'
  | 'provider-disconnected'
  | 'deletion-requested'
  | 'deletion-cancelled'
  | 'account-deleted';

/** Kinds of mails other than notices. Most of them follow a request of a person or an operator. */
export type RequestedMailKind =
  | 'password-reset'
  | 'password-elsewhere'
  /** Answers a request for a code that is not sent, because the account has a passkey or requires another way to sign in. */
  | 'code-not-sent'
  | 'account-secured'
  /** An operation that was requested by telephone, without a check of who was calling (`approval-announcement.ts`). */
  | 'change-announced'
  /** Somebody wanted to create an account with the address of this account. */
  | 'account-exists'
  /** An operator has approved the account of a person who signed up. */
  | 'sign-up-approved'
  | ApplicationMailKind
  /** A link with which a person who has no account creates one (`changes/invitations.ts`). */
  | 'join-invitation'
  | OperatorMailKind
  | CodeMail;

/** Mails to a person who signed up and has no account: an application waits already, was refused, or has expired. */
export type ApplicationMailKind = 'sign-up-waits' | 'sign-up-refused' | 'sign-up-expired';

/** Kinds of mails in which an operator sends the owner of an account a link for a password. */
export type OperatorMailKind = 'reset-link' | 'invitation';

/**
 * A mail with a code to type, for a second factor or for another purpose, such as `proof-code` for the account area, `sign-in-code` and
 * `sign-up-code`. The locales contain its text.
 */
export type CodeMail = `${string}-code`;

export type MailKind = NoticeKind | RequestedMailKind;
