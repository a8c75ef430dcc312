/** Lists the mails that did not arrive, and queues them to be sent again. */
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { FailedMails, MAIL_CAUSES, type FailedMail, type MailCause } from '../../accounts/queue/failed-mails.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { defined } from '../../config/defined.js';
import { OPERATOR_API } from '../wire.js';
import type { MailAnswer, MailCausesAnswer, MailListAnswer, MailRetriedAnswer, MailsRetriedAnswer } from '../wire-mails.js';
import { MailCauseBody, MailListQuery, NoMembers } from './account-bodies.js';
import { CurrentOperatorContext, type OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import { Operation } from './rights.guard.js';

const MAIL_ID = /^\d{1,15}$/;

@Controller(`${OPERATOR_API}/mails`)
export class MailsController {
  constructor(
    private readonly mails: FailedMails,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mail'>,
  ) {}

  /**
   * Lists the mails that did not arrive, newest first: a try failed, or they were abandoned. Abandoned mails are kept for 30 days.
   * @throws 400 wrong_type, 422 unknown_cause
   */
  @Get()
  @Operation('mails.list')
  async list(@Query() { cause, state, cursor, limit }: MailListQuery): Promise<MailListAnswer> {
    const page = await this.mails.list({
      ...(cause === undefined ? {} : { cause: requireCause(cause) }),
      ...(state === 'waiting' || state === 'abandoned' ? { state } : {}),
      ...defined({ cursor }),
      ...(limit === undefined ? {} : { limit: Number(limit) }),
    });
    return { mails: page.mails.map(toMailAnswer), ...defined({ next_cursor: page.nextCursor }) };
  }

  /** Counts the mails that did not arrive, for each cause. */
  @Get('causes')
  @Operation('mails.causes')
  async causes(): Promise<MailCausesAnswer> {
    return { causes: await this.mails.count() };
  }

  /**
   * Queues all mails that failed for one cause to be sent again now, at most 1000 in one call. Mails whose link or code has expired, or
   * whose link would go to a former address, do not change.
   * @throws 400 missing wrong_type, 409 no_mail, 422 unknown_cause
   */
  @Post('retry')
  @Operation('mails.retryAll')
  @HttpCode(200)
  async retryAll(
    @Body() { cause }: MailCauseBody,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<MailsRetriedAnswer> {
    const mailCause = requireCause(cause);
    this.#requireServer();
    const { retried, hasMore } = await this.mails.retryAll(mailCause, context);
    return { retried, more: hasMore };
  }

  /**
   * Queues one mail to be sent again now, with as many tries as a new mail.
   * @throws 404 mail_not_found, 409 mail_expired mail_outdated mail_sent no_mail
   */
  @Post(':mail/retry')
  @Operation('mails.retry')
  @HttpCode(200)
  async retry(
    @Param('mail') id: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<MailRetriedAnswer> {
    if (!MAIL_ID.test(id)) throw buildNotFound();
    this.#requireServer();
    const { outcome, mail } = await this.mails.retry(Number(id), context);
    if (outcome === 'gone' || mail === undefined) throw buildNotFound();
    if (outcome === 'sent' || outcome === 'expired' || outcome === 'outdated') {
      throw new OperatorFault(409, `mail_${outcome}`, REFUSALS[outcome]);
    }
    return { ...toMailAnswer(mail), retried: outcome === 'queued' };
  }

  /** Without a mail server no worker runs, and the mail would never be sent. @throws OperatorFault 409 */
  #requireServer(): void {
    if (this.config.mail.server) return;
    throw new OperatorFault(409, 'no_mail', 'No mail can be sent, because no mail server is configured (SMTP_URL).');
  }
}

const REFUSALS = {
  sent: 'The mail server has already accepted this mail.',
  expired: 'The link or code of this mail has expired: ask the person to request a new one.',
  outdated: 'The account now has another e-mail address, and this link would go to the former one: send a new link.',
} as const;

const buildNotFound = () => new OperatorFault(404, 'mail_not_found', 'There is no such mail: it may have been deleted.');

function requireCause(name: string): MailCause {
  const cause = MAIL_CAUSES.find((candidate) => candidate === name);
  if (cause) return cause;
  const message = `There is no such cause; the causes are ${MAIL_CAUSES.join(', ')}.`;
  throw new OperatorFault(422, 'unknown_cause', message, { field: 'cause' });
}

function toMailAnswer(mail: FailedMail): MailAnswer {
  return {
    id: mail.id,
    kind: mail.kind,
    recipient: mail.recipient,
    account_id: mail.accountId,
    username: mail.username,
    state: mail.abandonedAt === null ? 'waiting' : 'abandoned',
    tries: mail.tries,
    queued_at: mail.queuedAt.toISOString(),
    next_try_at: mail.nextTryAt?.toISOString() ?? null,
    abandoned_at: mail.abandonedAt?.toISOString() ?? null,
    expires_at: mail.expiresAt?.toISOString() ?? null,
    expired: mail.isExpired,
    cause: mail.cause,
    code: mail.code,
  };
}
