/**
 * Verifies the answer of the registration service. An answer is accepted only if the service has signed it, and only in the browser
 * that was sent to the service: otherwise a link could sign a person in to the account of an attacker (login CSRF).
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import {
  RegistrationTickets,
  type RegistrationTicket,
  type TicketKey,
} from '../../../../accounts/secrets/registration-tickets.js';
import { LOG } from '../../../../config/log.token.js';
import type { RequestContext } from '../../../../gateway/http/request-context.js';
import type { RegistrationAnswer } from '../../../../providers/registration/registration-answer.js';
import { AnswerRefused } from '../../../../providers/registration/registration.errors.js';
import { RegistrationService } from '../../../../providers/registration/registration-service.js';

/** `answer` is null if it was refused; `ticket` is null if the answer cannot be read, or this browser has no ticket for it. */
export type AnswerVerdict =
  | { ticket: RegistrationTicket | null; answer: null }
  | { ticket: RegistrationTicket; key: TicketKey; answer: RegistrationAnswer };

export type AcceptedAnswer = Extract<AnswerVerdict, { answer: object }>;

@Injectable()
export class AnswerVerification {
  constructor(
    private readonly registrationService: RegistrationService,
    private readonly tickets: RegistrationTickets,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** @throws RegistrationUnavailable */
  async take(parameter: unknown, context: RequestContext): Promise<AnswerVerdict> {
    const unverifiedAnswer = this.registrationService.readUnverifiedAnswer(parameter);
    if (!unverifiedAnswer) return this.#refuse(null, 'it cannot be read', context);
    const { handle } = unverifiedAnswer;
    const key = { handle, browser: context.browser, hasHandle: context.registrations.includes(handle) };
    // Checked before the signature: a browser without a ticket must not cause requests for keys.
    const ticket = await this.tickets.find(key);
    if (!ticket) return this.#refuse(null, 'this browser has no ticket for it', context);
    try {
      return { ticket, key, answer: await this.registrationService.verify(unverifiedAnswer.answer) };
    } catch (error) {
      if (!(error instanceof AnswerRefused)) throw error;
      return this.#refuse(ticket, error.message, context);
    }
  }

  #refuse(ticket: RegistrationTicket | null, reason: string, { requestId }: RequestContext): AnswerVerdict {
    this.log.warn({ requestId, reason }, 'an answer from the registration service was refused');
    return { ticket, answer: null };
  }
}
