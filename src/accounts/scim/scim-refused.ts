/** The `scimType` of an error, which tells the client the cause (RFC 7644, section 3.12). */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

/** The refusal of a SCIM call (RFC 7644, section 3.12). Nothing was changed. */
export class ScimRefused extends Error {
  /**
   * @param message names the cause, and reveals nothing about another account except that it has the value
   * @param field path of the attribute; empty if there is none
   */
  constructor(
    readonly status: 400 | 403 | 404 | 409 | 412 | 413 | 501,
    readonly scimType: ScimType | null,
    message: string,
    readonly field = '',
  ) {
    super(message);
    this.name = 'ScimRefused';
  }
}

/** The refusal to change an operator's account: the call may have been an attack. */
export class OperatorChangeRefused extends ScimRefused {
  constructor(field: string) {
    super(403, null, `${field} of an operator of this installation cannot be changed by SCIM: ask an operator.`, field);
  }
}

export function invalidValue(field: string, cause: string): ScimRefused {
  return new ScimRefused(400, 'invalidValue', `${field} ${cause}.`, field);
}

export function notUnique(field: string, cause: string): ScimRefused {
  return new ScimRefused(409, 'uniqueness', `${field} ${cause}.`, field);
}

export function notFound(): ScimRefused {
  return new ScimRefused(404, null, 'There is no such resource.');
}
