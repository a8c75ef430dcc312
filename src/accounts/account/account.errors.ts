/**
 * An error about an account that is looked up or written, with a code and the field that the error concerns. The message is one English
 * sentence for the client.
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

/** Apps would take two accounts with one subject for the same person. */
export class SubjectTaken extends AccountError {
  readonly code = 'subject-taken';
  readonly field = 'subject';

  constructor() {
    super('Another account has this subject.');
  }
}

/** A person of a source or provider has at most one account. */
export class PersonLinked extends AccountError {
  readonly code = 'person-linked';
  readonly field = 'sourceSubject';

  constructor() {
    super('This person of the source already has another account.');
  }
}

export class UsernameHeld extends UsernameTaken {
  constructor() {
    super('This username is reserved for its former owner.');
  }
}

/** The username was changed too often recently. */
export class TooManyHeldUsernames extends AccountError {
  readonly code = 'usernames-held';
  readonly field = 'username';

  constructor(readonly retryAfterSeconds: number) {
    super('The username was changed too often: too many former usernames are reserved for this account.');
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

/** `pointer` (RFC 6901) is the position of the fault in the value of the field. */
export class AttributeInvalid extends AccountFieldInvalid {
  readonly pointer: string;

  constructor({ pointer, message }: { pointer: string; message: string }, field: 'attributes' | 'groups' = 'attributes') {
    super(field, 'format', pointer === '' ? `${field} ${message}.` : `${field}: ${pointer} ${message}.`);
    this.pointer = pointer;
  }

  /** Whether the fault is in this member, or this member is missing. */
  isAt(member: string): boolean {
    const memberPointer = `/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return this.pointer === memberPointer || this.pointer.startsWith(`${memberPointer}/`);
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
 * A proof by a provider alone cannot set up a first factor for an account that has a password or whose credentials are frozen.
 * Otherwise a person who took over an external account could add a factor and lock the owner out.
 */
export class OwnProofNeeded extends AccountError {
  readonly code = 'own-proof-needed';
  readonly field = 'id';

  constructor() {
    super('A proof by a provider alone cannot set up a first factor for this account.');
  }
}

/** The account belongs to a user source, a SCIM source or a provider, and its password cannot be set here. */
export class PasswordElsewhere extends AccountError {
  readonly code = 'password-elsewhere';
  readonly field = 'password';

  constructor() {
    super('The account belongs to a user source, a SCIM source or a provider, so its password cannot be set here.');
  }
}

/** The account has no password, so a new one cannot be required. */
export class NoPasswordHere extends AccountError {
  readonly code = 'no-password';
  readonly field = 'password';

  constructor() {
    super('The account has no password.');
  }
}

/** The account belongs to a user source, a SCIM source or a provider, whose username would replace a change made here. */
export class UsernameElsewhere extends AccountError {
  readonly code = 'username-elsewhere';
  readonly field = 'username';

  constructor() {
    super('The account belongs to a user source, a SCIM source or a provider, so its username cannot be changed here.');
  }
}

/** The account belongs to a user source, a SCIM source or a provider, whose e-mail address would replace a change made here. */
export class EmailElsewhere extends AccountError {
  readonly code = 'email-elsewhere';
  readonly field = 'email';

  constructor() {
    super('The account belongs to a user source, a SCIM source or a provider, so its e-mail address cannot be changed here.');
  }
}

/** The account is disabled or deleted, so its owner cannot change it. */
export class AccountDisabled extends AccountError {
  readonly code = 'account-disabled';
  readonly field = 'id';

  constructor() {
    super('This account is disabled.');
  }
}

/**
 * After the proof, the account was disabled or deleted, the credential was replaced, or the sign-in ended. Such a proof does not
 * start a session.
 */
export class ProofOutdated extends Error {
  constructor() {
    super('The account is not active, the credential was replaced after the proof, or the sign-in has ended.');
    this.name = new.target.name;
  }
}

/** `unauthorized`: the session of the account area has ended. `proof required`: its proof is too old. Nothing was changed. */
export class ChangeRefused extends Error {
  constructor(readonly code: 'unauthorized' | 'proof required') {
    super(code);
    this.name = 'ChangeRefused';
  }
}
