/**
 * "That was not me": the owner of a mailbox secures their account (NTC-1). A GET changes nothing, because mail scanners
 * follow every link (S-39). The POST does not sign the person in and shows no password form: a new password needs the link in
 * a second mail, so a stolen old link gives no access.
 */
import { Inject, Injectable } from '@nestjs/common';
import { RequestLimits } from '../../accounts/limits/request-limits.js';
import { maskEmail } from '../../accounts/account/masked-email.js';
import { SecureAccount } from '../../accounts/changes/secure-account.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import type { NotMeState } from '../../contract/reset-state.js';
import { Fault } from '../../gateway/http/faults.js';
import { page, redirect, type Outcome } from '../../gateway/page/outcome.js';
import { toPerson, type RequestContext } from '../../gateway/http/request-context.js';
import { RevocationRunner } from '../../hydra/revocation-runner.js';
import { FlowPages } from '../sign-in/flow-pages.js';

type NotMeStatus = Exclude<NotMeState['status'], 'ask'>;

const STATUSES: readonly (string | undefined)[] = ['success', 'used', 'error-token'] satisfies NotMeStatus[];

@Injectable()
export class NotMeFlow {
  constructor(
    private readonly pages: FlowPages,
    private readonly secureAccount: SecureAccount,
    private readonly limits: RequestLimits,
    private readonly revocations: RevocationRunner,
    @Inject(CONFIG) private readonly config: Pick<Config, 'manage'>,
  ) {}

  async show(token: string, context: RequestContext): Promise<Outcome> {
    const link = await this.secureAccount.find(token);
    if (link.kind !== 'valid') return redirectToStatus(link.kind === 'used' ? 'used' : 'error-token');
    const freeze_hours = Math.ceil(this.config.manage.freezeSeconds / 3600);
    const restoredAddress = link.formerEmail ? { restored_address: maskEmail(link.formerEmail.email) } : {};
    const not_me = { status: 'ask', token, xsrf_token: this.pages.xsrfToken(context), freeze_hours, ...restoredAddress } as const;
    return page({ page: 'not_me', not_me });
  }

  async submit(token: string, context: RequestContext): Promise<Outcome> {
    const outcome = await this.secureAccount.secure(token, toPerson(context));
    switch (outcome.kind) {
      case 'done':
        await this.revocations.settle(outcome.accountId, context.requestId);
        return redirectToStatus('success');
      case 'used':
        return redirectToStatus('used');
      case 'gone':
        return this.#countInvalidToken(context);
    }
  }

  showStatus(parameter: string | undefined): Outcome {
    const status: NotMeStatus = STATUSES.includes(parameter) ? (parameter as NotMeStatus) : 'error';
    return page({ page: 'not_me', not_me: { status } });
  }

  async #countInvalidToken(context: RequestContext): Promise<Outcome> {
    const retryAfterSeconds = await this.limits.count('not-me', context);
    if (retryAfterSeconds !== null)
      throw new Fault('limited', 'Too many forms with an invalid token were submitted', { retryAfterSeconds });
    return redirectToStatus('error-token');
  }
}

function redirectToStatus(status: NotMeStatus): Outcome {
  return redirect(`${PATHS.notMeStatus}?${MANAGE_QUERY.status}=${status}`);
}
