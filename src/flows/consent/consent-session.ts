/** Finds out whether a consent request belongs to this browser and whether the person is still signed in. */
import { Injectable } from '@nestjs/common';
import type { ChallengeOwner } from '../../accounts/sessions/challenge-records.js';
import { ConsentRecords, type ConsentCase, type ConsentCheck } from '../../accounts/sessions/consent-records.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { ConsentRequest } from '../../hydra/hydra.port.js';
import { SessionBinding } from '../sign-in/session-binding.js';

const RECORD_SECONDS = 24 * 3600;

/**
 * Only the browser in which the person signed in may see the request and decide. If all sessions end while the browser has not yet followed
 * the redirect of an accepted login, Hydra continues that login; Foyer's record of the session has ended, so the consent is refused (S-44).
 */
@Injectable()
export class ConsentSession {
  constructor(
    private readonly records: ConsentRecords,
    private readonly binding: SessionBinding,
  ) {}

  /** Reads the state for the page, and writes nothing. */
  find(request: ConsentRequest, context: RequestContext): Promise<ConsentCheck> {
    return this.records.find(this.#toCase(request, context));
  }

  /** Claims the request for a decision: the browser that decides first owns it. */
  claim(request: ConsentRequest, context: RequestContext): Promise<ConsentCheck> {
    return this.records.claim(this.#toCase(request, context), RECORD_SECONDS);
  }

  #toCase(request: ConsentRequest, context: RequestContext): ConsentCase {
    const { subject, loginSessionId: sessionId, client } = request;
    const hasSessionCookie = this.binding.hasCookie({ sessionId, subject }, context);
    return {
      owner: toConsentOwner(request, context),
      subject,
      upstreamSessionId: sessionId,
      clientId: client.id,
      clientCreatedAt: client.createdAt ?? null,
      hasSessionCookie,
    };
  }
}

export function toConsentOwner({ flowId, challenge }: ConsentRequest, { browser }: RequestContext): ChallengeOwner {
  return { kind: 'consent', challenge: flowId === '' ? challenge : flowId, browser };
}
