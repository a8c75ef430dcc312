/**
 * Removes all second factors, passkeys and recovery codes with a contact person's token (FAR-1 to FAR-3). `FACTOR_RESET_PROOF` decides
 * whether the password is required too (docs/security.md D3). The reset does not sign the person in.
 */
import { Inject, Injectable } from '@nestjs/common';
import { toAccountState } from '../../accounts/account/account-state.js';
import type { Account } from '../../accounts/account/accounts.js';
import { FactorResets } from '../../mfa/factor-resets.js';
import { NewerFactor } from '../../mfa/registry.js';
import { PasswordProof } from '../../accounts/password/proof.js';
import { RequestLimits } from '../../accounts/limits/request-limits.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import type { MfaResetFormState, MfaResetStatusState } from '../../contract/reset-state.js';
import { Fault } from '../../gateway/http/faults.js';
import {
  page,
  redirect,
  type CookieChange,
  type Outcome,
  type PageOptions,
  type PageOutcome,
} from '../../gateway/page/outcome.js';
import { SameForms } from '../../gateway/page/same-forms.js';
import { toPerson, type RequestContext } from '../../gateway/http/request-context.js';
import { RevocationRunner } from '../../hydra/revocation-runner.js';
import { FlowPages } from '../sign-in/flow-pages.js';

interface ShownError {
  error: NonNullable<MfaResetFormState['error']>;
  retryAfterSeconds?: number;
}

interface ShownReset {
  token: string;
  /** Absent if the token is not valid. */
  account?: Account;
}

interface TypedReset {
  token: string;
  password: string;
}

const BUSY_SECONDS = 2;
const SOURCE_SECONDS = 30;
const UPGRADE_SECONDS = 30;

@Injectable()
export class FactorResetFlow {
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly pages: FlowPages,
    private readonly resets: FactorResets,
    private readonly proof: PasswordProof,
    private readonly limits: RequestLimits,
    private readonly revocations: RevocationRunner,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mfa'>,
  ) {}

  /** @param addressToken token from the address; absent after the redirect that removes it from the address and history */
  async show(addressToken: string | undefined, context: RequestContext): Promise<Outcome> {
    const token = addressToken ?? context.links.factors ?? '';
    const account = await this.resets.find(token);
    if (!account) return redirectToStatus('error-token');
    return addressToken === undefined
      ? this.#buildForm({ token, account }, context)
      : redirect(PATHS.mfaResetForm, toTokenCookie(token));
  }

  /** Shows a form with an outdated anti-forgery value again (`AcceptsOutdatedForm`). */
  async showStaleForm(token: string, context: RequestContext): Promise<Outcome> {
    const account = await this.resets.find(token);
    return account ? this.#buildForm({ token, account }, context, { error: 'stale' }) : this.#countUnknownToken(token, context);
  }

  submit(input: TypedReset, context: RequestContext): Promise<Outcome> {
    const parts = [input.token, context.xsrf ?? '', input.password];
    return this.#sameForms.runOnce(parts, () => this.#reset(input, context));
  }

  showStatus(parameter: string | undefined): Outcome {
    const status: MfaResetStatusState['status'] = parameter === 'success' || parameter === 'error-token' ? parameter : 'error';
    return page({ page: 'mfa_reset_status', mfa_reset_status: { status } });
  }

  async #reset(input: TypedReset, context: RequestContext): Promise<Outcome> {
    const { token } = input;
    const account = await this.resets.find(token);
    if (!account) return this.#countUnknownToken(token, context);
    const failure = this.config.mfa.resetProof === 'password' ? await this.#prove(account, input, context) : null;
    if (failure) return this.#buildForm({ token, account }, context, failure);
    const isReset = await this.resets.reset(account, token, toPerson(context)).catch(throwRetryFault);
    if (!isReset) return redirectToStatus('error-token');
    await this.revocations.settle(account.id, context.requestId);
    return redirectToStatus('success');
  }

  async #countUnknownToken(token: string, context: RequestContext): Promise<Outcome> {
    const retryAfterSeconds = await this.limits.count('factor-reset', context);
    return retryAfterSeconds === null
      ? redirectToStatus('error-token')
      : this.#buildForm({ token }, context, { error: 'limited', retryAfterSeconds });
  }

  /** The attempt is limited and counted like a sign-in. A wrong password leaves the token valid. */
  async #prove(account: Account, { password }: TypedReset, context: RequestContext): Promise<ShownError | null> {
    if (password === '') return { error: 'password' };
    const { address, device, requestId } = context;
    const verdict = await this.proof.verify(account, { password, address, device, requestId });
    switch (verdict.kind) {
      case 'proven':
        return null;
      case 'refused':
        return { error: 'password' };
      case 'limited':
        return { error: 'limited', retryAfterSeconds: verdict.retryAfterSeconds };
      case 'busy':
        throw new Fault('unavailable', 'Too many passwords are being checked at the same time', {
          retryAfterSeconds: BUSY_SECONDS,
        });
      case 'source':
        if (verdict.problem !== 'unavailable') return { error: 'password' };
        throw new Fault('unavailable', 'The user source does not answer', { retryAfterSeconds: SOURCE_SECONDS });
    }
  }

  #buildForm({ token, account }: ShownReset, context: RequestContext, failure?: ShownError): PageOutcome {
    const mfa_reset_form: MfaResetFormState = {
      error: failure?.error ?? null,
      ...(account ? { account: toAccountState(account) } : {}),
      reset_token: token,
      xsrf_token: this.pages.xsrfToken(context),
      password_required: this.config.mfa.resetProof === 'password',
      ...(failure?.retryAfterSeconds === undefined ? {} : { retry_after: failure.retryAfterSeconds }),
    };
    return page({ page: 'mfa_reset_form', mfa_reset_form }, failure ? toOptions(failure, token) : {});
  }
}

/** During a rolling upgrade, another gateway may know the newer factor: the token stays valid, and the person tries again. */
function throwRetryFault(error: unknown): never {
  if (!(error instanceof NewerFactor)) throw error;
  throw new Fault('unavailable', error.message, { retryAfterSeconds: UPGRADE_SECONDS });
}

const STATUS: Record<ShownError['error'], number> = { limited: 429, stale: 403, password: 422 };

function toOptions({ error, retryAfterSeconds }: ShownError, token: string): PageOptions {
  return {
    self: PATHS.mfaResetForm,
    status: STATUS[error],
    cookies: toTokenCookie(token),
    ...defined({ retryAfterSeconds }),
  };
}

function redirectToStatus(status: MfaResetStatusState['status']): Outcome {
  return redirect(`${PATHS.mfaResetStatus}?${MANAGE_QUERY.status}=${status}`, toTokenCookie(null));
}

function toTokenCookie(token: string | null): CookieChange {
  return { link: { form: 'factors', token } };
}
