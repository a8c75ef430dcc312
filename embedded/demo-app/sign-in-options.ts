/**
 * Parameters that the demo app copies from its own address to the authorization request, so that all kinds of
 * requests can be tried.
 */
import type { SiteLanguage } from '../site/language.js';
import type { SignInOptions } from './relying-party.js';

/** The scope `id` is required for the account area (MAN-1). */
const FIRST_SCOPES = ['openid', 'offline_access', 'id'];

/**
 * A registration hint, in this app an invitation. The login page always offers to create an account if people sign up at Foyer itself;
 * otherwise it offers this only to requests with a hint.
 */
const HINT = 'reg_hint[invitation]';
const INVITATION = 'PORTAL-2026';

/**
 * The accepted parameters of OpenID Connect Core, 3.1.2.1, and the registration hint. `scope` is read separately; all others are
 * ignored.
 */
const OPTION_FORMATS: Readonly<Record<string, RegExp>> = {
  prompt: /^[a-z_ ]{1,60}$/,
  ui_locales: /^[A-Za-z0-9 -]{1,60}$/,
  acr_values: /^[\x21-\x7e ]{1,200}$/,
  login_hint: /^[^\p{Cc}]{1,200}$/u,
  max_age: /^\d{1,9}$/,
  [HINT]: /^[^\p{Cc}]{1,60}$/u,
};

const SCOPE_NAMES = /^[\x21\x23-\x5b\x5d-\x7e ]{1,200}$/;

/** @param chosenLanguage sent as `ui_locales` unless the address contains a valid one */
export function readSignInOptions(
  query: URLSearchParams,
  chosenLanguage: SiteLanguage | undefined,
): { scope: string; options: SignInOptions } {
  const options: Record<string, string> = { [HINT]: INVITATION, ...(chosenLanguage ? { ui_locales: chosenLanguage } : {}) };
  for (const [name, format] of Object.entries(OPTION_FORMATS)) {
    const value = query.get(name);
    if (value !== null && format.test(value)) options[name] = value;
  }
  const scopeText = query.get('scope') ?? '';
  const scopes = SCOPE_NAMES.test(scopeText) ? scopeText.split(' ').filter(Boolean) : [];
  return { scope: [...new Set([...FIRST_SCOPES, ...scopes])].join(' '), options };
}
