/** The pages of an invitation: the form and the result. */
import { Inject, Injectable } from '@nestjs/common';
import type { FoundInvitation } from '../../accounts/changes/accept-invitation.js';
import type { Invitation } from '../../accounts/changes/invitations.js';
import type { DetailFault, SignUpDetails } from '../../accounts/changes/sign-up.js';
import { PasswordRules } from '../../accounts/password/password-rules.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config, SignUpField } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import type { PasswordFault } from '../../contract/manage-state.js';
import type { RegistrationResultState } from '../../contract/page-state.js';
import { INVITATION_PATH, type InvitationState } from '../../contract/registration-state.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { page, type PageOptions, type PageOutcome } from '../../gateway/page/outcome.js';
import { findReturnUrl } from '../../hydra/client-links.js';
import type { ClientProfile } from '../../hydra/client-profile.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import { FlowPages, toLookOptions } from '../sign-in/flow-pages.js';
import { toFieldStates } from '../sign-in/steps/sign-up/sign-up.form.js';
import { toClientState } from '../sign-in/waiting-request.js';

export interface ShownForm {
  token: string;
  details: SignUpDetails;
  error: InvitationState['error'];
  faults?: readonly DetailFault[];
  reasons?: readonly PasswordFault[];
  retryAfterSeconds?: number;
}

/** `error`: the invitation cannot be used with the current settings. */
export type ShownResult = FoundInvitation | { kind: 'error'; invitation: Invitation };

const STATUS: Readonly<Record<string, number>> = { limited: 429, stale: 403, busy: 503 };
const BUSY_SECONDS = 2;

@Injectable()
export class InvitationPages {
  constructor(
    private readonly flowPages: FlowPages,
    private readonly rules: PasswordRules,
    private readonly hydra: HydraPort,
    @Inject(CONFIG) private readonly config: Pick<Config, 'app' | 'password'>,
  ) {}

  async buildForm(
    { invitation, fields }: { invitation: Invitation; fields: readonly SignUpField[] },
    { token, details, error, faults = [], reasons, retryAfterSeconds }: ShownForm,
    context: RequestContext,
  ): Promise<PageOutcome> {
    const { requireLower, requireUpper, requireDigit } = this.config.password;
    const client = await this.#findClient(invitation);
    const registration: InvitationState = {
      status: 'invitation',
      error,
      ...{ xsrf_token: this.flowPages.xsrfToken(context), token, email: invitation.email },
      expires_at: invitation.expiresAt.toISOString(),
      // The address is not a field: it cannot be changed.
      fields: toFieldStates(fields, details, faults).filter(({ name }) => name !== 'email'),
      rules: {
        min_length: this.rules.findMinLength(this.rules.usesSecondFactor({})),
        ...{ require_lower: requireLower, require_upper: requireUpper, require_digit: requireDigit },
      },
      ...defined({ inviter: invitation.inviter, client: client ? toClientState(client) : undefined }),
      ...defined({ reasons, retry_after: retryAfterSeconds }),
    };
    const options: PageOptions = {
      ...this.#toOptions(invitation, client),
      self: INVITATION_PATH,
      ...(error === null ? {} : { status: STATUS[error] ?? 422, cookies: { link: { form: 'invitation', token } } }),
      ...defined({ retryAfterSeconds: error === 'busy' ? BUSY_SECONDS : retryAfterSeconds }),
    };
    return page({ page: 'registration', registration }, options);
  }

  async buildResult(shownResult: ShownResult): Promise<PageOutcome> {
    const status = toStatus(shownResult.kind);
    const options =
      shownResult.kind === 'ended' ? {} : this.#toOptions(shownResult.invitation, await this.#findClient(shownResult.invitation));
    return page({ page: 'registration', registration: { status } }, { ...options, self: INVITATION_PATH });
  }

  /** @returns null without an app, for an unknown app, and if Hydra does not answer: the account can be created without the app */
  async #findClient({ clientId }: Invitation): Promise<ClientProfile | null> {
    return clientId === undefined ? null : this.hydra.getClient(clientId).catch(() => null);
  }

  #toOptions({ language }: Invitation, client: ClientProfile | null): PageOptions {
    const url = client ? findReturnUrl(client, undefined, this.config.app.returnOrigins) : undefined;
    return {
      uiLocales: language === undefined ? [] : [language],
      ...toLookOptions(client),
      ...(client && url !== undefined ? { returnTo: { url, name: client.name } } : {}),
    };
  }
}

function toStatus(kind: ShownResult['kind']): RegistrationResultState['status'] {
  switch (kind) {
    case 'used':
      return 'invitation-used';
    case 'exists':
      return 'invitation-exists';
    case 'ended':
      return 'invitation-ended';
    case 'ready':
    case 'error':
      return 'error';
  }
}
