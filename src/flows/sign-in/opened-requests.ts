/**
 * Determines whether a request is still the newest of its client in this browser. Hydra keeps one anti-forgery cookie for each
 * client and step, so an older login or consent can no longer be finished (docs/hydra-behaviour.md B.8).
 */
import type { Outcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { toOpenedRequest, type OpenedRequest } from '../../gateway/security/opened-request-cookies.js';

type Step = OpenedRequest['step'];

interface HydraRequest {
  client: { id: string };
  challenge: string;
}

/** Each request is a cookie, and browsers store about 180 cookies of a site. */
const MAX_REQUESTS = 20;
/** Each removal adds a `Set-Cookie` header; the next answer removes more. */
const MAX_REMOVALS = 3;

/** Adds the request to the cookies of the browser, once: loading a page again sends no new request to Hydra. */
export function addOpenedRequest(
  outcome: Outcome,
  step: Step,
  { request, context: { openedRequests: opened } }: { request: HydraRequest; context: RequestContext },
): Outcome {
  const add = toOpenedRequest(step, request, (opened.at(-1)?.order ?? 0) + 1);
  if (opened.some((openedRequest) => isSame(openedRequest, add))) return outcome;
  const drop = opened.slice(0, Math.min(MAX_REMOVALS, Math.max(0, opened.length + 1 - MAX_REQUESTS)));
  return { ...outcome, cookies: { ...outcome.cookies, opened: { add, drop } } };
}

/** Whether the browser has opened a newer request of the client, which may have replaced Hydra's anti-forgery cookie. */
export function isOvertaken(step: Step, request: HydraRequest, { openedRequests: opened }: RequestContext): boolean {
  const wantedRequest = toOpenedRequest(step, request, 0);
  const requestsOfClient = opened.filter(
    (openedRequest) => openedRequest.step === step && openedRequest.client === wantedRequest.client,
  );
  const ownRequest = requestsOfClient.find((openedRequest) => isSame(openedRequest, wantedRequest)) ?? wantedRequest;
  // Two requests that were opened at the same time have the same order, and either may be the newer one at Hydra.
  return requestsOfClient.some((openedRequest) => !isSame(openedRequest, ownRequest) && openedRequest.order >= ownRequest.order);
}

function isSame(one: OpenedRequest, other: OpenedRequest): boolean {
  return one.step === other.step && one.client === other.client && one.challenge === other.challenge;
}
