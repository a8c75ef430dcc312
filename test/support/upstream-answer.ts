/** One HTTP exchange for the contract suite: redirects are not followed, nothing is decoded automatically. */
import { readSetCookie, type SetCookie } from '../../test-kit/cookie-jar.js';

export interface Answer {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Absolute target of a redirect; undefined without a Location. */
  readonly location: URL | undefined;
  readonly setCookies: readonly SetCookie[];
}

/** Sends one request and reads the whole answer, without following redirects. */
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

/** @throws if the body is not JSON, with the exchange in the message */
export function toJson<T>(answer: Answer): T {
  try {
    return JSON.parse(answer.text) as T;
  } catch {
    throw new Error(`not JSON: ${summary(answer)}`);
  }
}

/** One line for a failing test: the request and the answer. */
export function summary(answer: Answer): string {
  const target = answer.location ? ` → ${answer.location.href.slice(0, 300)}` : '';
  return `${answer.method} ${answer.url.slice(0, 200)}: ${answer.status}${target} ${answer.text.slice(0, 300)}`;
}

/** @returns the answer. @throws with the exchange in the message if the status differs */
export function expectStatus(answer: Answer, status: number): Answer {
  if (answer.status !== status) throw new Error(`expected status ${status}: ${summary(answer)}`);
  return answer;
}
