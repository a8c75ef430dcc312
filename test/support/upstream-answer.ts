/**
 * One HTTP exchange as the contract suite looks at it: nothing is followed, nothing is decoded behind its back.
 */
import { readSetCookie } from '../../test-kit/cookie-jar.js';
import type { SetCookie } from '../../test-kit/cookie-jar.js';

export interface Answer {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Where a redirect leads, made absolute; undefined without a Location. */
  readonly location: URL | undefined;
  readonly setCookies: readonly SetCookie[];
}

/** Sends one request and reads the whole answer. Redirects are answers like any other. */
export async function exchange(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const location = response.headers.get('location');
  return {
    method: init.method ?? 'GET',
    url,
    status: response.status,
    headers: response.headers,
    text: await response.text(),
    location: location === null ? undefined : new URL(location, url),
    setCookies: response.headers.getSetCookie().map(readSetCookie),
  };
}

/** @throws when the body is not JSON, with the exchange in the message */
export function jsonOf<T>(answer: Answer): T {
  try {
    return JSON.parse(answer.text) as T;
  } catch {
    throw new Error(`not JSON: ${summary(answer)}`);
  }
}

/** One line for a failing test: what was asked and what came back. */
export function summary(answer: Answer): string {
  const target = answer.location ? ` → ${answer.location.href.slice(0, 300)}` : '';
  return `${answer.method} ${answer.url.slice(0, 200)}: ${answer.status}${target} ${answer.text.slice(0, 300)}`;
}

/** @returns the answer itself. @throws with the exchange in the message when the status is another one */
export function expectStatus(answer: Answer, status: number): Answer {
  if (answer.status !== status) throw new Error(`expected status ${status}: ${summary(answer)}`);
  return answer;
}
