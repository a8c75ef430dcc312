/**
 * The answer to a form that is submitted twice. It is repeated only for the same form: each page has a differently
 * masked anti-forgery value, so a double click sends equal values. Somebody who only has the browser id, through a
 * planted cookie or a shared computer, cannot fetch the result of another person's password.
 */
import { fingerprint } from '../../config/keys.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { CookieChange, RedirectOutcome } from '../../gateway/page/outcome.js';

interface FinishedAnswer {
  url: string;
  cookies: CookieChange;
  /** Fingerprint of the anti-forgery value of the answered form. */
  form: string;
}

/** @param xsrf the anti-forgery value from the form */
export function writeAnswer({ url, cookies }: RedirectOutcome, xsrf: string): string {
  return JSON.stringify({ url, cookies, form: fingerprint(xsrf) } satisfies FinishedAnswer);
}

/** @returns null if another form was answered, or too long ago */
export function readAnswer(result: string | null, xsrf: string): RedirectOutcome | null {
  if (result === null) return null;
  const { url, cookies, form } = JSON.parse(result) as FinishedAnswer;
  return form === fingerprint(xsrf) ? redirect(url, cookies) : null;
}
