/** Records for operators, as a log line and a count, each error that Hydra reports at the error page. */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOG } from '../../config/log.token.js';
import { toReportedError } from '../../contract/oauth-errors.js';
import { Telemetry } from '../../telemetry/telemetry.js';
import type { RequestContext } from './request-context.js';

@Injectable()
export class OAuthErrorLog {
  constructor(
    @Inject(LOG) private readonly log: Logger,
    private readonly telemetry: Telemetry,
  ) {}

  /**
   * @param error from the address of the page. Any text that is not a known code is recorded as `other`: anybody can write the
   * address
   */
  record(error: string, { requestId }: RequestContext): void {
    const code = toReportedError(error, '').code || 'other';
    this.log.info({ requestId, error: code }, 'an app could not sign a person in: Hydra reported an error');
    this.telemetry.count('foyer.oauth.errors', { 'foyer.oauth.error': code });
  }
}
