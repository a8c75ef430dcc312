/** Invites people who have no account yet, lists invitations, and resends and withdraws them. */
import type { ServerResponse } from 'node:http';
import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { INVITATION_STATES, Invitations, type Invitation } from '../../accounts/changes/invitations.js';
import { defined } from '../../config/defined.js';
import { OPERATOR_API } from '../wire.js';
import type {
  InvitationAnswer,
  InvitationListAnswer,
  InvitationsCreatedAnswer,
  InvitationWithdrawnAnswer,
} from '../wire-invitations.js';
import { NoMembers } from './account-bodies.js';
import { InvitationListQuery, InvitationsBody, NewInvitationBody } from './invitation-bodies.js';
import { InvitePeople } from './invite-people.js';
import { CurrentOperatorContext, type OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import { Operation } from './rights.guard.js';

/** Bounds the time of one call. */
const MAX_ROWS = 100;

@Controller(`${OPERATOR_API}/invitations`)
export class InvitationsController {
  constructor(
    private readonly invitations: Invitations,
    private readonly invite: InvitePeople,
  ) {}

  /**
   * Invites a person who has no account yet. A mailed link lets the person create one account, with this address, these groups and these
   * attributes.
   * @throws 409 approval_required no_mail has_account already_invited, 422 missing too_long characters format unknown_client, 429 limited
   */
  @Post()
  @Operation('invitations.create')
  async create(
    @Body() body: NewInvitationBody,
    @CurrentOperatorContext() context: OperatorContext,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<InvitationAnswer> {
    const invitation = await this.invite.create(body, context);
    response.setHeader('Location', `${OPERATOR_API}/invitations/${invitation.id}`);
    return toInvitationAnswer(invitation);
  }

  /**
   * Invites up to 100 people. Each row has its own result; an invalid row does not stop the others.
   * @throws 400 missing wrong_type, 409 no_mail, 422 too_many
   */
  @Post('many')
  @Operation('invitations.createMany')
  @HttpCode(200)
  async createMany(
    @Body() { invitations: rows }: InvitationsBody,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<InvitationsCreatedAnswer> {
    if (rows.length > MAX_ROWS)
      throw new OperatorFault(422, 'too_many', `One call may have at most ${MAX_ROWS} rows.`, { field: 'invitations' });
    return { results: await this.invite.createMany(rows, context) };
  }

  /**
   * Lists invitations, newest first. An invitation is kept for 90 days after `expires_at`.
   * @throws 400 wrong_type
   */
  @Get()
  @Operation('invitations.list')
  async list(@Query() { state, email, cursor, limit }: InvitationListQuery): Promise<InvitationListAnswer> {
    const page = await this.invitations.list({
      ...defined({ email, cursor, state: INVITATION_STATES.find((name) => name === state) }),
      ...(limit === undefined ? {} : { limit: Number(limit) }),
    });
    return { invitations: page.invitations.map(toInvitationAnswer), ...defined({ next_cursor: page.nextCursor }) };
  }

  /**
   * Shows an invitation.
   * @throws 404 invitation_not_found
   */
  @Get(':invitation')
  @Operation('invitations.show')
  async show(@Param('invitation') id: string): Promise<InvitationAnswer> {
    return toInvitationAnswer(await this.#get(id));
  }

  /**
   * Mails a new link; earlier links no longer work, and the time begins again. An expired invitation is open again.
   * @throws 404 invitation_not_found, 409 approval_required no_mail has_account already_invited invitation_ended, 429 limited
   */
  @Post(':invitation/resend')
  @Operation('invitations.resend')
  @HttpCode(200)
  async resend(
    @Param('invitation') id: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<InvitationAnswer> {
    return toInvitationAnswer(await this.invite.resend(await this.#get(id), context));
  }

  /**
   * Withdraws an invitation: its link no longer works. An account that was created with it stays.
   * @throws 404 invitation_not_found
   */
  @Post(':invitation/withdraw')
  @Operation('invitations.withdraw')
  @HttpCode(200)
  async withdraw(
    @Param('invitation') id: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<InvitationWithdrawnAnswer> {
    const { id: invitationId } = await this.#get(id);
    const withdrawn = await this.invitations.withdraw(invitationId, context);
    return { ...toInvitationAnswer(await this.#get(invitationId)), withdrawn };
  }

  async #get(id: string): Promise<Invitation> {
    const invitation = await this.invitations.find(id);
    if (invitation) return invitation;
    throw new OperatorFault(404, 'invitation_not_found', 'There is no such invitation: it may have been deleted.');
  }
}

function toInvitationAnswer(invitation: Invitation): InvitationAnswer {
  const { account } = invitation;
  return {
    ...{ id: invitation.id, email: invitation.email, state: invitation.state },
    display_name: invitation.displayName ?? null,
    group_name: invitation.groupName ?? null,
    groups: invitation.groups,
    attributes: invitation.attributes,
    client_id: invitation.clientId ?? null,
    language: invitation.language ?? null,
    inviter: invitation.inviter ?? null,
    invited_by: invitation.invitedBy,
    reason: invitation.reason ?? null,
    created_at: invitation.createdAt.toISOString(),
    sent_at: invitation.sentAt.toISOString(),
    expires_at: invitation.expiresAt.toISOString(),
    ended_at: invitation.endedAt?.toISOString() ?? null,
    account_id: account?.id ?? null,
    username: account?.username ?? null,
    has_account: invitation.hasAccount,
  };
}
