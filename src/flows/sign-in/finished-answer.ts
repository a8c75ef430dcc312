/**
 * The answer to a form that was sent twice. It is given again only to the very same form: each page carries a differently
 * masked anti-forgery text, so two clicks on one page send equal texts, and nobody who merely holds the browser's id, by a
 * planted cookie or a shared computer, can fetch an answer that somebody else's password has earned.
 */
import { fingerprint } from '../../config/keys.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { CookieChange, RedirectOutcome } from '../../gateway/page/outcome.js';

interface FinishedAnswer {
  url: string;
  cookies: CookieChange;
  /** Fingerprint of the anti-forgery text of the form that was answered. */
  form: string;
}

/** @param xsrf the anti-forgery text as the form sent it */
export function writeAnswer({ url, cookies }: RedirectOutcome, xsrf: string): string {
  return JSON.stringify({ url, cookies, form: fingerprint(xsrf) } satisfies FinishedAnswer);
}

/** @returns null when another form was answered, or when it was too long ago */
export function readAnswer(result: string | null, xsrf: string): RedirectOutcome | null {
  if (result === null) return null;
  const { url, cookies, form } = JSON.parse(result) as FinishedAnswer;
  return form === fingerprint(xsrf) ? redirect(url, cookies) : null;
}
