/** The task of filling in attributes that `ACCOUNT_SCHEMA` requires and the account lacks (`MissingDetails`). */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { ProofOutdated } from '../../../../accounts/account/account.errors.js';
import { MissingDetails } from '../../../../accounts/changes/missing-details.js';
import type { DetailFault, SignUpDetails } from '../../../../accounts/changes/sign-up.js';
import { SignInRecords } from '../../../../accounts/sessions/sign-in-records.js';
import { LOG } from '../../../../config/log.token.js';
import type { FieldsTaskState } from '../../../../contract/task-state.js';
import { toPerson, type RequestContext } from '../../../../gateway/http/request-context.js';
import { SignIns, type IdentifiedSignIn } from '../../sign-in.js';
import type { Task } from '../../tasks.js';
import { findFormFaults, readDetails, toStates } from '../sign-up/sign-up.form.js';

type MissingFields = Extract<Task, { kind: 'fields' }>;

export interface FieldsTaskFault {
  error: NonNullable<FieldsTaskState['error']>;
  faults?: readonly DetailFault[];
  /** What was entered. */
  details?: SignUpDetails;
}

const NO_DETAILS: SignUpDetails = { email: '', attributes: {} };

@Injectable()
export class FieldsTask {
  constructor(
    private readonly missingDetails: MissingDetails,
    private readonly records: SignInRecords,
    private readonly signIns: SignIns,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  toState(
    { fields }: MissingFields,
    { faults = [], details = NO_DETAILS }: { faults?: readonly DetailFault[] | undefined; details?: SignUpDetails | undefined },
  ): Pick<FieldsTaskState, 'kind' | 'fields'> {
    return { kind: 'fields', fields: toStates(fields, details, faults) };
  }

  /**
   * @returns what is wrong with the form; `ended` if the sign-in is over, the account may not sign in any more, or it belongs to a
   * user source, a SCIM source or a provider; null if the attributes are stored, or cannot be stored at all
   */
  async complete(
    signIn: IdentifiedSignIn,
    { task: { fields }, body }: { task: MissingFields; body: Readonly<Record<string, unknown>> },
    context: RequestContext,
  ): Promise<FieldsTaskFault | 'ended' | null> {
    const details = readDetails(fields, body);
    const faults = findFormFaults(fields, details);
    if (faults.length > 0) return { error: 'fields', faults, details };
    const { id, account, proofId } = signIn;
    const condition = this.records.toSessionCondition({ id, accountId: account.id, proofId });
    try {
      const fault = await this.missingDetails.write(account.id, details.attributes, { ...toPerson(context), signIn: condition });
      if (fault === null) return null;
      if (fields.some(({ name }) => name === fault.field)) return { error: 'fields', faults: [fault], details };
      // The attributes of the account together are too large, or do not satisfy the schema. The person cannot change that, so the sign-in
      // goes on without the fields.
      this.log.warn(
        { accountId: account.id, attribute: fault.field },
        'the missing attributes were not stored: the attributes of the account would be too large, or would not satisfy the schema',
      );
      await this.signIns.postpone(signIn, 'fields');
      return null;
    } catch (error) {
      if (error instanceof ProofOutdated) return 'ended';
      throw error;
    }
  }
}
