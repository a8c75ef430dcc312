/** Creates the account of an invited person. The link proves the address, and is used up in the same transaction. */
import { Injectable } from '@nestjs/common';
import type { SignUpField } from '../../config/config.js';
import { randomToken } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { AuditContext } from '../audit/audit-log.js';
import { rememberResetDevice } from '../sessions/known-devices.js';
import { Invitations, type Invitation } from './invitations.js';
import { SignUp, type DetailFault, type SignUpDetails, type SignUpOutcome } from './sign-up.js';

/** `ready`: the link works. `exists`: an account has the address, or has it as its username. */
export type FoundInvitation =
  | { kind: 'ready' | 'used' | 'exists'; invitation: Invitation }
  /** Unknown, replaced, withdrawn or expired. */
  | { kind: 'ended' };

export interface TypedAcceptance {
  token: string;
  invitation: Invitation;
  details: SignUpDetails;
  password: string;
  auditContext: AuditContext;
}

/**
 * `gone`: the link no longer works, or an account has the address by now, or has it as its username, or a user source knows the
 * address.
 */
export type AcceptanceOutcome =
  /** `device`: secret for the known-device cookie of this browser. */
  | { kind: 'created'; device: string }
  | Extract<SignUpOutcome, { kind: 'weak' | 'limited' | 'fault' }>
  | { kind: 'gone' | 'busy' };

@Injectable()
export class AcceptInvitation {
  constructor(
    private readonly invitations: Invitations,
    private readonly signUp: SignUp,
    private readonly database: Database,
  ) {}

  async find(token: string): Promise<FoundInvitation> {
    const invitation = await this.invitations.findByToken(token);
    if (invitation?.state === 'used') return { kind: 'used', invitation };
    if (invitation?.state !== 'open') return { kind: 'ended' };
    return { kind: invitation.hasAccount ? 'exists' : 'ready', invitation };
  }

  /** @returns the fields of the form: all fields except the attributes that the invitation contains */
  listFields({ attributes }: Invitation): readonly SignUpField[] {
    return this.invitations.fields.filter(({ name }) => !Object.hasOwn(attributes, name));
  }

  /** Checks what does not depend on other accounts. @returns at most one fault for each field */
  findFaults(invitation: Invitation, details: SignUpDetails): DetailFault[] {
    // The operator has chosen the address, and the form does not ask for it.
    return this.signUp.findFaults(toDetails(invitation, details)).filter(({ field }) => field !== 'email');
  }

  /**
   * Creates the account with the address, groups, attributes and language of the invitation. Only one of several calls creates an
   * account.
   */
  async accept({ token, invitation, details, password, auditContext }: TypedAcceptance): Promise<AcceptanceOutcome> {
    const device = randomToken();
    const grant = {
      detail: { by: 'invitation', invitation: invitation.id },
      use: async (accountId: string, trx: Parameters<Invitations['use']>[2]) => {
        if (!(await this.invitations.use(token, accountId, trx))) return false;
        await rememberResetDevice({ accountId, device, now: this.database.now() }, trx);
        return true;
      },
    };
    const outcome = await this.signUp.create({ details: toDetails(invitation, details), password, auditContext, grant });
    switch (outcome.kind) {
      case 'created':
        return { kind: 'created', device };
      case 'exists':
        return { kind: 'gone' };
      case 'weak':
      case 'limited':
      case 'fault':
        return outcome;
      case 'busy':
        return { kind: 'busy' };
      case 'taken':
        throw new Error('An account that is created with a password cannot have the outcome `taken`.');
    }
  }
}

function toDetails({ email, groupName, groups, attributes, language }: Invitation, details: SignUpDetails): SignUpDetails {
  const invitationValues = {
    groups,
    attributes,
    ...(groupName === undefined ? {} : { groupName }),
    ...(language === undefined ? {} : { language }),
  };
  return { ...details, email, invitationValues };
}
