/**
 * "That was not me": the owner of a mailbox secures their account (NTC-1). A GET changes nothing, because mail scanners
 * follow every link (S-39). The POST signs nobody in and shows no password form: the new password needs the link in a
 * second mail, so a stolen old link is worthless.
 */
import { Inject, Injectable } from '@nestjs/common';
import { RequestLimits } from '../../accounts/limits/request-limits.js';
import { SecureAccount } from '../../accounts/account/secure-account.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import type { NotMeState } from '../../contract/reset-state.js';
import { Fault } from '../../gateway/http/faults.js';
import { page, redirect } from '../../gateway/page/outcome.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { Revocations } from '../../hydra/revocations.js';
import { FlowPages } from '../sign-in/flow-pages.js';

type End = Exclude<NotMeState['status'], 'ask'>;

const KNOWN_ENDS: readonly (string | undefined)[] = ['success', 'used', 'error-token'] satisfies End[];

@Injectable()
export class NotMeFlow {
  constructor(
    private readonly pages: FlowPages,
    private readonly accounts: SecureAccount,
    private readonly limits: RequestLimits,
    private readonly upstream: Revocations,
    @Inject(CONFIG) private readonly config: Pick<Config, 'manage'>,
  ) {}

  async show(token: string, context: RequestContext): Promise<Outcome> {
    const found = await this.accounts.find(token);
    if (found !== 'alive') return ended(found === 'used' ? 'used' : 'error-token');
    const freeze_hours = Math.ceil(this.config.manage.freezeSeconds / 3600);
    return page({ page: 'not_me', not_me: { status: 'ask', token, xsrf_token: this.pages.xsrfToken(context), freeze_hours } });
  }

  async submit(token: string, context: RequestContext): Promise<Outcome> {
    const { address, requestId } = context;
    const secured = await this.accounts.secure(token, { actor: 'person', address, requestId });
    switch (secured.kind) {
      case 'done':
        await this.upstream.settle(secured.accountId, requestId);
        return ended('success');
      case 'used':
        return ended('used');
      case 'gone':
        return this.#unknown(context);
    }
  }

  status(given: string | undefined): Outcome {
    const status: End = KNOWN_ENDS.includes(given) ? (given as End) : 'error';
    return page({ page: 'not_me', not_me: { status } });
  }

  async #unknown(context: RequestContext): Promise<Outcome> {
    const retryAfterSeconds = await this.limits.count('not-me', context);
    if (retryAfterSeconds !== null) throw new Fault('limited', 'Too many unknown links', { retryAfterSeconds });
    return ended('error-token');
  }
}

function ended(status: End): Outcome {
  return redirect(`${PATHS.notMeStatus}?${MANAGE_QUERY.status}=${status}`);
}
