/**
 * Errors about an account that is looked up or written. Each has a code and the field concerned; the message is one
 * English sentence for the client.
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

  constructor(message = 'This username is taken.') {
    super(message);
  }
}

export class EmailTaken extends AccountError {
  readonly code = 'email-taken';
  readonly field = 'email';

  constructor(message = 'This e-mail address is the username of another account.') {
    super(message);
  }
}

/** Apps would take two accounts for one. */
export class SubjectTaken extends AccountError {
  readonly code = 'subject-taken';
  readonly field = 'subject';

  constructor() {
    super('This subject is that of another account.');
  }
}

/** A person of a source or provider has one account. */
export class PersonLinked extends AccountError {
  readonly code = 'person-linked';
  readonly field = 'sourceSubject';

  constructor() {
    super('This person of the source has another account here.');
  }
}

export class UsernameHeld extends UsernameTaken {
  constructor() {
    super('This username is reserved for its former owner.');
  }
}

/** The username was changed too often recently. */
export class UsernamesHeld extends AccountError {
  readonly code = 'usernames-held';
  readonly field = 'username';

  constructor(readonly retryAfterSeconds: number) {
    super('This account holds as many former usernames as it may.');
  }
}

export type FieldFault = 'missing' | 'too-short' | 'too-long' | 'characters' | 'format' | 'too-costly' | 'twice' | 'reserved';

export class AccountFieldInvalid extends AccountError {
  constructor(
    readonly field: string,
    readonly code: FieldFault,
    message: string,
  ) {
    super(message);
  }
}

/** `pointer` (RFC 6901) leads to the fault in the value of the field. */
export class AttributeInvalid extends AccountFieldInvalid {
  readonly pointer: string;

  constructor({ pointer, message }: { pointer: string; message: string }, field: 'attributes' | 'groups' = 'attributes') {
    super(field, 'format', pointer === '' ? `${field} ${message}.` : `${field}: ${pointer} ${message}.`);
    this.pointer = pointer;
  }

  /** Whether the fault is in this member, or is that it is missing. */
  isAt(member: string): boolean {
    const at = `/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return this.pointer === at || this.pointer.startsWith(`${at}/`);
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
 * Setting up a first factor needs a proof of the account itself. Otherwise somebody who took over an external account
 * could add a factor and lock the owner out. If a password is set, it is required; while credentials are frozen, no
 * factor is set up.
 */
export class OwnProofNeeded extends AccountError {
  readonly code = 'own-proof-needed';
  readonly field = 'id';

  constructor() {
    super('This account has a proof of its own, which is asked for first.');
  }
}

/** The password belongs to a user source (`src/sources`) and cannot be set here. */
export class PasswordElsewhere extends AccountError {
  readonly code = 'password-elsewhere';
  readonly field = 'password';

  constructor() {
    super('The password of this account belongs to a user source: it is changed there.');
  }
}

/** The username belongs to a user source: changed here, it would change back when the source is asked. */
export class UsernameElsewhere extends AccountError {
  readonly code = 'username-elsewhere';
  readonly field = 'username';

  constructor() {
    super('The username of this account belongs to a user source: it is changed there.');
  }
}

/** The same for the e-mail address. */
export class EmailElsewhere extends AccountError {
  readonly code = 'email-elsewhere';
  readonly field = 'email';

  constructor() {
    super('The e-mail address of this account belongs to a user source: it is changed there.');
  }
}

/** The account is disabled; no sign-in or change can start. */
export class AccountDisabled extends AccountError {
  readonly code = 'account-disabled';
  readonly field = 'id';

  constructor() {
    super('This account is disabled.');
  }
}

/** Since the proof, the account was disabled or deleted, or the credential replaced. Nobody is signed in by it. */
export class ProofOutdated extends Error {
  constructor() {
    super('The account is not active, or the credential was replaced after the proof.');
    this.name = new.target.name;
  }
}

/** The session of the account area has ended, or its proof does not count any more. Nothing has changed. */
export class ChangeRefused extends Error {
  constructor(readonly code: 'unauthorized' | 'proof required') {
    super(code);
    this.name = 'ChangeRefused';
  }
}
