/**
 * What came back in the address, judged: only the browser that was handed over is heard, so that nobody can be signed in
 * by a link as somebody else (login CSRF), and only what the service has signed.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Registrations } from '../../accounts/secrets/registration-tickets.js';
import type { Handover, HandoverKey } from '../../accounts/secrets/registration-tickets.js';
import { LOG } from '../../gateway/http/log.js';
import type { Visit } from '../../gateway/http/request-context.js';
import type { RegistrationAnswer } from '../../providers/registration/registration-answer.js';
import { AnswerRefused } from '../../providers/registration/registration.errors.js';
import { RegistrationService } from '../../providers/registration/registration-service.js';

/** `answer` is null for whatever proves nothing. */
export type JudgedAnswer =
  { handover: Handover | null; answer: null } | { handover: Handover; key: HandoverKey; answer: RegistrationAnswer };

export type TakenAnswer = Extract<JudgedAnswer, { answer: object }>;

@Injectable()
export class AnswerDesk {
  constructor(
    private readonly service: RegistrationService,
    private readonly registrations: Registrations,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** @throws RegistrationUnavailable */
  async take(given: unknown, visit: Visit): Promise<JudgedAnswer> {
    const claimed = this.service.claimed(given);
    if (!claimed) return this.#refuse(null, 'it cannot be read', visit);
    const key = { handle: claimed.handle, browser: visit.browser };
    // Before its signature: whoever was not handed over from here makes nobody read keys.
    const handover = await this.registrations.find(key);
    if (!handover) return this.#refuse(null, 'it belongs to no hand-over of this browser', visit);
    try {
      return { handover, key, answer: await this.service.verify(claimed.answer) };
    } catch (error) {
      if (!(error instanceof AnswerRefused)) throw error;
      return this.#refuse(handover, error.message, visit);
    }
  }

  #refuse(handover: Handover | null, reason: string, { requestId }: Visit): JudgedAnswer {
    this.log.warn({ requestId, reason }, 'an answer of the registration service was refused');
    return { handover, answer: null };
  }
}
