/**
 * The answer to a form that is submitted twice. The answer is repeated only for the same form: each page has a differently
 * masked anti-forgery value, so a double click sends equal values. Somebody who only has the browser id, through a
 * planted cookie or a shared computer, cannot fetch the result of another person's password. Where no form is submitted, another value
 * that only this browser has stands for it (`state` of a provider, the secret of a carried proof); without one nothing is repeated.
 */
import type { AuditEvent } from '../../accounts/audit/audit-log.js';
import type { ChallengeOwner, ChallengeRecords } from '../../accounts/sessions/challenge-records.js';
import { fingerprint } from '../../config/keys.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { redirect, type CookieChange, type RedirectOutcome } from '../../gateway/page/outcome.js';

interface WrittenAnswer {
  url: string;
  cookies: CookieChange;
  /** Fingerprint of `RequestContext.submission`. */
  form: string;
}

/** @returns the first answer to the challenge, whose event is recorded; null if it was another form's */
export async function finishOnce(
  { records, owner, event }: { records: ChallengeRecords; owner: ChallengeOwner; event?: AuditEvent | null },
  outcome: RedirectOutcome,
  context: RequestContext,
): Promise<RedirectOutcome | null> {
  const { result } = await records.finish(owner, writeAnswer(outcome, context), event);
  return readAnswer(result, context);
}

/** A form may be sent again with another value, after "Back" also by another person: only the same value gets the same answer. */
export function bindAnswer(context: RequestContext, value: string): RequestContext {
  return { ...context, submission: `${context.form ?? ''}\n${value}` };
}

export function writeAnswer({ url, cookies }: RedirectOutcome, { submission }: RequestContext): string {
  return JSON.stringify({ url, cookies, form: fingerprint(submission ?? '') } satisfies WrittenAnswer);
}

/** @returns null if another form was answered, or too long ago */
export function readAnswer(written: string | null, { submission }: RequestContext): RedirectOutcome | null {
  if (written === null || submission === null || submission === '') return null;
  const { url, cookies, form: answered } = JSON.parse(written) as WrittenAnswer;
  return answered === fingerprint(submission) ? redirect(url, cookies) : null;
}

/** Whether the answer to any form sets this cookie, which covers session and person (`SessionBinding.toCookie`). */
export function hasSessionCookie(written: string | null, cookie: CookieChange['browserSession']): boolean {
  if (written === null || !cookie) return false;
  const { cookies } = JSON.parse(written) as WrittenAnswer;
  return cookies.browserSession?.value === cookie.value;
}
