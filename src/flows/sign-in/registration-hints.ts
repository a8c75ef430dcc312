/**
 * Hints for the registration service (REG-2): values that an app knows about a new person, as `reg_hint[name]` in its
 * request. Only configured names are accepted; the values are untrusted.
 */
import type { AuthorizationRequest } from '../../hydra/authorization-request.js';

/** Field of the login form (specification, section 2). */
const FORM_FIELD = 'hints';
const REQUEST_PARAMETER = 'reg_hint';
const MAX_VALUE_LENGTH = 200;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

export type Hints = Readonly<Record<string, string>>;

export function readRequestHints(authorizationRequest: AuthorizationRequest | null, names: readonly string[]): Hints {
  return toHints(names, (name) => authorizationRequest?.parameter(`${REQUEST_PARAMETER}[${name}]`));
}

/** @param fields the unvalidated fields of the form */
export function readFormHints(fields: Readonly<Record<string, unknown>>, names: readonly string[]): Hints {
  return toHints(names, (name) => fields[`${FORM_FIELD}[${name}]`]);
}

function toHints(names: readonly string[], read: (name: string) => unknown): Hints {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = read(name);
      return isHint(value) ? [[name, value] as const] : [];
    }),
  );
}

function isHint(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_VALUE_LENGTH && !UNPRINTABLE.test(value);
}
