/**
 * What can be wrong with an account that somebody asks for or wants to write. Each error carries the field it is about and
 * a code; the message is one English sentence for the caller.
 */
export abstract class AccountError extends Error {
  abstract readonly code: string;
  abstract readonly field: string;

  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

export class UsernameTaken extends AccountError {
  readonly code = 'username-taken';
  readonly field = 'username';

  constructor() {
    super('This username is taken.');
  }
}

/** Somebody has changed their name too often lately. */
export class UsernamesHeld extends AccountError {
  readonly code = 'usernames-held';
  readonly field = 'username';

  constructor(readonly retryAfterSeconds: number) {
    super('This account holds as many former usernames as it may.');
  }
}

export type FieldFault = 'missing' | 'too-short' | 'too-long' | 'characters' | 'format' | 'too-costly' | 'twice';

export class AccountFieldInvalid extends AccountError {
  constructor(
    readonly field: string,
    readonly code: FieldFault,
    message: string,
  ) {
    super(message);
  }
}

export class AccountNotFound extends AccountError {
  readonly code = 'account-not-found';
  readonly field = 'id';

  constructor() {
    super('There is no such account.');
  }
}

/**
 * A first factor is not set up on the word of somebody else alone: whoever has taken over an external account would make
 * the owner's account theirs. Where there is a password it is asked for; while credentials are frozen nothing is set up.
 */
export class OwnProofNeeded extends AccountError {
  readonly code = 'own-proof-needed';
  readonly field = 'id';

  constructor() {
    super('This account has a proof of its own, which is asked for first.');
  }
}

/** The account is disabled: nothing may begin for it. */
export class AccountDisabled extends AccountError {
  readonly code = 'account-disabled';
  readonly field = 'id';

  constructor() {
    super('This account is disabled.');
  }
}
