/**
 * The rules of `prompt`, `max_age` and `id_token_hint` for a login that was just accepted (OpenID Connect Core,
 * section 3.1.2.1). Hydra checks them at this point, so a request with an unknown prompt fails after the sign-in.
 */
import type { Core } from '../core.js';
import type { Flow } from '../flow/flow.js';
import type { Query } from '../http/query.js';
import { OAuthError } from '../oauth-error.js';
import { UnverifiableToken, type Claims } from '../tokens/signer.js';
import { splitWords } from './scopes.js';

const PROMPTS = ['login', 'none', 'consent', 'registration'];

/** @throws OAuthError */
export function requirePrompt(core: Core, form: Query, flow: Flow): void {
  const prompts = splitWords(form.first('prompt'));
  if (prompts.some((prompt) => !PROMPTS.includes(prompt))) {
    throw OAuthError.create('invalid_request', `Used unknown value '[${prompts.join(' ')}]' for prompt parameter`);
  }
  if (prompts.includes('none') && prompts.length > 1) {
    throw OAuthError.create(
      'invalid_request',
      "Parameter 'prompt' was set to 'none', but contains other values as well which is not allowed.",
    );
  }
  requireMaxAge(form, flow);
  requireLoginTime(prompts, flow);
  requireHintedSubject(core, form, flow);
}

function requireMaxAge(form: Query, flow: Flow): void {
  const maxAge = readMaxAge(form) ?? 0;
  if (maxAge > 0 && flow.authenticatedAt + maxAge < flow.requestedAt) throw OAuthError.create('login_required');
}

function requireLoginTime(prompts: readonly string[], { authenticatedAt, requestedAt }: Flow): void {
  const isTooLate = prompts.includes('none') && authenticatedAt > requestedAt;
  const isTooEarly = prompts.includes('login') && authenticatedAt < requestedAt;
  if (!isTooLate && !isTooEarly) return;
  const [prompt, order, meaning] = isTooLate
    ? ['none', 'after', 'the user was logged in during this request which is not allowed']
    : ['login', 'before', 'the user was not re-authenticated which is forbidden'];
  throw OAuthError.create(
    'login_required',
    `Failed to validate OpenID Connect request because prompt was set to '${prompt}' but auth_time ('${toHydraTime(authenticatedAt)}') happened ${order} the authorization request ('${toHydraTime(requestedAt)}') was registered, indicating that ${meaning}.`,
  );
}

function requireHintedSubject(core: Core, form: Query, flow: Flow): void {
  const hint = form.first('id_token_hint');
  if (hint === '' || toSubject(readHint(core, hint)) === flow.subject) return;
  throw OAuthError.create(
    'login_required',
    "Failed to validate OpenID Connect request because the subject from provided id token from id_token_hint does not match the current session's subject.",
  );
}

/** @throws OAuthError for a token that this upstream did not sign; expired tokens are accepted */
export function readHint(core: Core, hint: string): Claims {
  try {
    return core.signer.read(hint);
  } catch (error) {
    if (error instanceof UnverifiableToken) throw OAuthError.create('invalid_request', error.message);
    throw error;
  }
}

export function toSubject(claims: Claims): string {
  const subject = claims['sub'];
  if (typeof subject === 'string' && subject !== '') return subject;
  throw OAuthError.create(
    'invalid_request',
    'Failed to validate OpenID Connect request because provided id token from id_token_hint does not have a subject.',
  );
}

/** @returns null for a value that is not a number of seconds */
export function readMaxAge(form: Query): number | null {
  const text = form.first('max_age');
  return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : null;
}

function toHydraTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('T', ' ').replace('.000Z', ' +0000 UTC');
}
