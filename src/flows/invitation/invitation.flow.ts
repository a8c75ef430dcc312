/**
 * Creates the account of an invited person. A GET does not use the link up, because mail scanners follow links (S-39). A redirect
 * removes the token from the address, so that no browser history contains it. The person is not signed in: as after a password reset,
 * the app asks for the new password.
 */
import { INVITATION_PATH } from '../../contract/registration-state.js';
import { Injectable } from '@nestjs/common';
import { AcceptInvitation, type FoundInvitation } from '../../accounts/changes/accept-invitation.js';
import type { Invitation } from '../../accounts/changes/invitations.js';
import type { DetailFault, SignUpDetails } from '../../accounts/changes/sign-up.js';
import { AccountRights } from '../../accounts/operators/account-rights.js';
import { toPerson, type RequestContext } from '../../gateway/http/request-context.js';
import { redirect, type CookieChange, type Outcome, type PageOutcome } from '../../gateway/page/outcome.js';
import { SameForms } from '../../gateway/page/same-forms.js';
import { findFormFaults, readDetails } from '../sign-in/steps/sign-up/sign-up.form.js';
import { findPasswordFault } from '../sign-in/typed-password.js';
import { InvitationPages, type ShownForm } from './invitation.page.js';

export interface TypedInvitation {
  token: string;
  password: string;
  repetition: string;
  /** All fields of the form. */
  fields: Readonly<Record<string, unknown>>;
}

@Injectable()
export class InvitationFlow {
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly acceptance: AcceptInvitation,
    private readonly rights: AccountRights,
    private readonly pages: InvitationPages,
  ) {}

  /** @param addressToken token from the address; absent after the redirect that removes it */
  async show(addressToken: string | undefined, context: RequestContext): Promise<Outcome> {
    if (addressToken !== undefined) return redirect(INVITATION_PATH, toTokenCookie(addressToken));
    const token = context.links.invitation ?? '';
    const result = await this.#find(token);
    if (result.kind !== 'ready') return this.pages.buildResult(result);
    const { invitation } = result;
    const details: SignUpDetails = { email: invitation.email, attributes: {} };
    if (invitation.displayName !== undefined) details.displayName = invitation.displayName;
    return this.#buildForm(invitation, { token, details, error: null }, context);
  }

  /** `POST /register/invitation` */
  async submit(typedInvitation: TypedInvitation, context: RequestContext): Promise<Outcome> {
    const { token, password, repetition, fields } = typedInvitation;
    const result = await this.#find(token);
    if (result.kind !== 'ready') return redirect(INVITATION_PATH, toTokenCookie(token));
    const { invitation } = result;
    const requestedFields = this.acceptance.listFields(invitation);
    const details = { ...readDetails(requestedFields, fields), email: invitation.email };
    const shownForm = { token, details };
    if (context.xsrf === null) return this.#buildForm(invitation, { ...shownForm, error: 'stale' }, context);
    const formFaults = findFormFaults(requestedFields, details);
    const faults = formFaults.length > 0 ? formFaults : this.acceptance.findFaults(invitation, details);
    if (faults.length > 0) return this.#showFaults(invitation, { ...shownForm, faults }, context);
    const error = findPasswordFault(password, repetition);
    if (error !== null) return this.#buildForm(invitation, { ...shownForm, error }, context);
    return this.#sameForms.runOnce([token, context.xsrf, password], () =>
      this.#accept({ ...shownForm, invitation, password }, context),
    );
  }

  /** @returns `ended` also if the settings have changed since the invitation, so that a second operator would have to approve the account */
  async #find(token: string): Promise<FoundInvitation> {
    const foundInvitation = await this.acceptance.find(token);
    if (foundInvitation.kind !== 'ready') return foundInvitation;
    const { groupName, groups, attributes } = foundInvitation.invitation;
    const fields = { group_name: groupName ?? null, groups: [...groups], attributes, of_scim: false };
    return this.rights.requiresApproval(fields) ? { kind: 'ended' } : foundInvitation;
  }

  async #accept(
    { invitation, password, ...shownForm }: { invitation: Invitation; password: string; token: string; details: SignUpDetails },
    context: RequestContext,
  ): Promise<Outcome> {
    const auditContext = toPerson(context, invitation.language === undefined ? [] : [invitation.language]);
    const outcome = await this.acceptance.accept({ ...shownForm, invitation, password, auditContext });
    switch (outcome.kind) {
      case 'weak':
        return this.#buildForm(invitation, { ...shownForm, error: 'password-strength', reasons: outcome.reasons }, context);
      case 'limited':
        return this.#buildForm(invitation, { ...shownForm, error: 'limited', retryAfterSeconds: outcome.retryAfter }, context);
      case 'busy':
        return this.#buildForm(invitation, { ...shownForm, error: 'busy' }, context);
      case 'fault':
        return this.#showFaults(invitation, { ...shownForm, faults: [outcome.fault] }, context);
      case 'gone':
        return this.#explainGone(invitation, shownForm.token);
      case 'created':
        return redirect(INVITATION_PATH, { ...toTokenCookie(shownForm.token), device: outcome.device });
    }
  }

  /** If the link still works, a user source knows the address: a redirect to the link would only show the form again. */
  async #explainGone(invitation: Invitation, token: string): Promise<Outcome> {
    const { kind } = await this.#find(token);
    return kind === 'ready'
      ? this.pages.buildResult({ kind: 'exists', invitation })
      : redirect(INVITATION_PATH, toTokenCookie(token));
  }

  /** Without a field for the fault, the person cannot correct it: the settings have changed since the invitation. */
  async #showFaults(
    invitation: Invitation,
    { faults, ...shownForm }: Pick<ShownForm, 'token' | 'details'> & { faults: readonly DetailFault[] },
    context: RequestContext,
  ): Promise<Outcome> {
    const fields = this.acceptance.listFields(invitation);
    const isShown = faults.every(({ field }) => fields.some(({ name }) => name === field));
    if (!isShown) return this.pages.buildResult({ kind: 'error', invitation });
    return this.#buildForm(invitation, { ...shownForm, error: 'fields', faults }, context);
  }

  async #buildForm(invitation: Invitation, shownForm: ShownForm, context: RequestContext): Promise<PageOutcome> {
    return this.pages.buildForm({ invitation, fields: this.acceptance.listFields(invitation) }, shownForm, context);
  }
}

function toTokenCookie(token: string): CookieChange {
  return { link: { form: 'invitation', token } };
}
