/**
 * The cookies that list which requests of login, consent and device a browser opened: one cookie for each request, because pages
 * that open at the same time would overwrite a shared cookie. Their values are not authenticated: a forged value
 * makes a request start again, and does nothing else.
 */
import { fingerprint } from '../../config/keys.js';

export interface OpenedRequest {
  step: 'login' | 'consent' | 'device';
  /** Short hash of the client id. */
  client: string;
  /** Short hash of the challenge. */
  challenge: string;
  /** Counts the requests of this browser. Requests that were opened at the same time may have equal numbers. */
  order: number;
}

export interface OpenedRequestsChange {
  add: OpenedRequest;
  drop: readonly OpenedRequest[];
}

const CLIENT_LENGTH = 6;
const CHALLENGE_LENGTH = 10;
const STEPS: Readonly<Record<string, OpenedRequest['step']>> = { l: 'login', c: 'consent', d: 'device' };
const SUFFIX = new RegExp(`^-opened-([lcd])([\\w-]{${CLIENT_LENGTH}})([\\w-]{${CHALLENGE_LENGTH}})$`);
const ORDER = /^[0-9a-z]{1,6}$/;

export function toOpenedRequest(
  step: OpenedRequest['step'],
  { client, challenge }: { client: { id: string }; challenge: string },
  order: number,
): OpenedRequest {
  return {
    step,
    client: fingerprint(client.id).slice(0, CLIENT_LENGTH),
    challenge: fingerprint(challenge).slice(0, CHALLENGE_LENGTH),
    order,
  };
}

/** @param prefix with which the names of Foyer's cookies begin @returns the requests, the newest last */
export function readOpenedRequests(jar: Readonly<Record<string, string | undefined>>, prefix: string): OpenedRequest[] {
  const requests = Object.entries(jar).flatMap(([name, value]): OpenedRequest[] => {
    const [, letter = '', client = '', challenge = ''] =
      (name.startsWith(prefix) && SUFFIX.exec(name.slice(prefix.length))) || [];
    const step = STEPS[letter];
    if (!step || value === undefined || !ORDER.test(value)) return [];
    return [{ step, client, challenge, order: parseInt(value, 36) }];
  });
  return requests.sort((one, other) => one.order - other.order);
}

/** Name, without the prefix, and value. */
export function toOpenedRequestCookie({ step, client, challenge, order }: OpenedRequest): { suffix: string; value: string } {
  return { suffix: `-opened-${step.slice(0, 1)}${client}${challenge}`, value: order.toString(36) };
}
