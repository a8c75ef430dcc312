/**
 * Repeats the answer to a form that is submitted twice. The answer is repeated only for the same form: each page has a differently
 * masked anti-forgery value, so a double click sends equal values. An attacker who has only the browser id, through a planted cookie or a
 * shared computer, cannot fetch the result of another person's password. Where no form is submitted, a value that
 * this browser received replaces the anti-forgery value (the `state` of a provider, the handle of a registration ticket, the secret of a
 * carried proof); without either value, nothing is repeated.
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

/**
 * Records the event of the first answer only.
 * @returns the first answer to the challenge; null if another form got that answer
 * @throws ChallengeNotClaimed
 */
export async function finishOnce(
  { records, owner, event }: { records: ChallengeRecords; owner: ChallengeOwner; event?: AuditEvent | null },
  outcome: RedirectOutcome,
  context: RequestContext,
): Promise<RedirectOutcome | null> {
  const { result } = await records.finish(owner, writeAnswer(outcome, context), event);
  return readAnswer(result, context);
}

/** Binds the answer to a value of the form: after "Back", the same form may be sent with another value, even by another person. */
export function bindAnswer(context: RequestContext, value: string): RequestContext {
  return { ...context, submission: `${context.xsrf ?? ''}\n${value}` };
}

/**
 * The id of a known device is not repeated: the browser has it already. An attacker who planted the browser id may have started at a
 * provider or a registration under this id, so the attacker knows the `state` or handle and would learn the device id.
 */
export function writeAnswer({ url, cookies }: RedirectOutcome, { submission, device }: RequestContext): string {
  const { device: deviceChoice, ...otherCookies } = cookies;
  const repeatedCookies = deviceChoice === device ? otherCookies : cookies;
  return JSON.stringify({ url, cookies: repeatedCookies, form: fingerprint(submission ?? '') } satisfies WrittenAnswer);
}

/** @returns null if no answer is stored any more, another form received the answer, or the request has no `submission` */
export function readAnswer(storedAnswer: string | null, { submission }: RequestContext): RedirectOutcome | null {
  if (storedAnswer === null || submission === null || submission === '') return null;
  const { url, cookies, form: answeredForm } = JSON.parse(storedAnswer) as WrittenAnswer;
  return answeredForm === fingerprint(submission) ? redirect(url, cookies) : null;
}

/**
 * Whether the stored answer sets this cookie, whichever form received the answer. The cookie covers session and person
 * (`SessionBinding.toCookie`).
 */
export function hasSessionCookie(storedAnswer: string | null, cookie: CookieChange['browserSession']): boolean {
  if (storedAnswer === null || !cookie) return false;
  const { cookies } = JSON.parse(storedAnswer) as WrittenAnswer;
  return cookies.browserSession?.value === cookie.value;
}
