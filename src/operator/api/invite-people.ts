/** Invites people who have no account yet, within the limits on mails. */
import { Inject, Injectable } from '@nestjs/common';
import { AccountError } from '../../accounts/account/account.errors.js';
import { checkEmail, checkLanguage } from '../../accounts/account/fields.js';
import { Invitations, type Invitation, type NewInvitation } from '../../accounts/changes/invitations.js';
import { RequestLimits } from '../../accounts/limits/request-limits.js';
import { toActorText, toOwner } from '../../accounts/operators/operator-identity.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import { findClientIdFault } from '../clients/client-rules.js';
import type { InvitationRowAnswer } from '../wire-invitations.js';
import { ChangeAccount } from './change-account.js';
import { toOperatorFault } from './fault-answers.js';
import { NewInvitationBody } from './invitation-bodies.js';
import { operatorBodyPipe, removeNulls } from './operator-body.pipe.js';
import type { OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import { cutText } from '../../config/cut-text.js';

@Injectable()
export class InvitePeople {
  constructor(
    private readonly invitations: Invitations,
    private readonly changes: ChangeAccount,
    private readonly limits: RequestLimits,
    private readonly hydra: HydraPort,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mail'>,
  ) {}

  /** @throws OperatorFault, AccountError */
  async create(body: NewInvitationBody, auditContext: OperatorContext): Promise<Invitation> {
    this.#requireServer();
    const { email, display_name, client, language, group_name, groups, attributes, inviter, days } = body;
    this.changes.requireNoNewAdmin({ ...defined({ group_name, groups, attributes }) });
    const invitation: NewInvitation = {
      email: checkEmail(email),
      ...(language === undefined ? {} : { language: checkLanguage(language) }),
      ...defined({ displayName: display_name, groupName: group_name, groups, attributes, clientId: client, inviter, days }),
    };
    this.invitations.check(invitation);
    const names = await this.#findNames(client);
    if (client !== undefined && names.appName === undefined)
      throw new OperatorFault(422, 'unknown_client', 'Hydra has no client with this id.', { field: 'client' });
    await this.invitations.requireMailable(invitation.email);
    await this.#count(invitation.email, auditContext);
    return this.invitations.create(invitation, { ...names, invitedBy: toActorText(auditContext) }, auditContext);
  }

  /** Invites the people one after the other, because sign-ins need the connections to the database. An invalid row does not stop the others. */
  async createMany(rows: readonly Record<string, unknown>[], auditContext: OperatorContext): Promise<InvitationRowAnswer[]> {
    this.#requireServer();
    const answers: InvitationRowAnswer[] = [];
    for (const [index, row] of rows.entries()) answers.push(await this.#createRow(row, index + 1, auditContext));
    return answers;
  }

  /** @throws OperatorFault, AccountError */
  async resend(invitation: Invitation, auditContext: OperatorContext): Promise<Invitation> {
    this.#requireServer();
    const { groupName: group_name, groups, attributes } = invitation;
    // The setting OPERATORS may have changed since.
    this.changes.requireNoNewAdmin({ ...defined({ group_name }), groups: [...groups], attributes });
    await this.invitations.requireMailable(invitation.email, invitation);
    await this.#count(invitation.email, auditContext);
    return this.invitations.resend(invitation, await this.#findNames(invitation.clientId), auditContext);
  }

  async #createRow(members: Record<string, unknown>, row: number, auditContext: OperatorContext): Promise<InvitationRowAnswer> {
    const { email } = members;
    const start = { row, ...(typeof email === 'string' ? { email: cutText(email, 254) } : {}) };
    try {
      const body = await operatorBodyPipe.read(NewInvitationBody, removeNulls(members));
      return { ...start, result: 'invited', id: (await this.create(body, auditContext)).id };
    } catch (error) {
      if (!(error instanceof OperatorFault) && !(error instanceof AccountError)) throw error;
      const { code, message, hints } = toOperatorFault(error, () => null);
      return { ...start, result: 'invalid', error: code, message, ...defined({ field: hints.field, pointer: hints.pointer }) };
    }
  }

  async #count(email: string, auditContext: OperatorContext): Promise<void> {
    const seconds = await this.limits.countInvitation(email, toOwner(auditContext), auditContext);
    if (seconds === null) return;
    const message =
      'Too many invitations were mailed within an hour: to this address, by you, or in all. Wait before you send more.';
    throw new OperatorFault(429, 'limited', message, { headers: { 'Retry-After': String(seconds) } });
  }

  async #findNames(client: string | undefined): Promise<{ appName?: string }> {
    const isReadable = client !== undefined && findClientIdFault(client) === null;
    const profile = isReadable ? await this.hydra.getClient(client) : null;
    return profile ? { appName: profile.name } : {};
  }

  #requireServer(): void {
    if (this.config.mail.server) return;
    throw new OperatorFault(409, 'no_mail', 'No mail can be sent, because no mail server is configured (SMTP_URL).');
  }
}
