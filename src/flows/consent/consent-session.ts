/** Finds out whether a consent request belongs to this browser and whether the person is still signed in. */
import { Injectable } from '@nestjs/common';
import type { ChallengeOwner } from '../../accounts/sessions/challenge-records.js';
import { ConsentRecords, type ConsentCase, type ConsentState } from '../../accounts/sessions/consent-records.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { ConsentRequest } from '../../hydra/hydra.port.js';
import { SessionBinding } from '../sign-in/session-binding.js';

const RECORD_SECONDS = 24 * 3600;

/**
 * Only the browser in which the person signed in may see the request and decide. An accepted login whose redirect was not
 * followed yet survives the end of sessions at Hydra; the record here does not (S-44).
 */
@Injectable()
export class ConsentSession {
  constructor(
    private readonly records: ConsentRecords,
    private readonly binding: SessionBinding,
  ) {}

  /** For showing the page: writes nothing. */
  find(request: ConsentRequest, context: RequestContext): Promise<ConsentState> {
    return this.records.find(this.#toCase(request, context));
  }

  /** For a decision: the browser that decides first owns the request. */
  claim(request: ConsentRequest, context: RequestContext): Promise<ConsentState> {
    return this.records.claim(this.#toCase(request, context), RECORD_SECONDS);
  }

  #toCase(request: ConsentRequest, context: RequestContext): ConsentCase {
    const { subject, loginSessionId: sessionId, client } = request;
    const isProvenOwn = this.binding.hasCookie({ sessionId, subject }, context);
    return {
      owner: toConsentOwner(request, context),
      subject,
      upstreamSessionId: sessionId,
      clientId: client.id,
      clientCreatedAt: client.createdAt ?? null,
      isProvenOwn,
    };
  }
}

export function toConsentOwner({ flowId, challenge }: ConsentRequest, { browser }: RequestContext): ChallengeOwner {
  return { kind: 'consent', challenge: flowId === '' ? challenge : flowId, browser };
}
