/** Maps every thrown value to an `OperatorFault`, whose content the client may read. */
import { HttpException } from '@nestjs/common';
import {
  AccountError,
  AccountFieldInvalid,
  AccountNotFound,
  AttributeInvalid,
  UsernameTaken,
} from '../../accounts/account/account.errors.js';
import { ApprovalRefused } from '../../accounts/operators/approval-refused.js';
import { ApplicationNotFound } from '../../accounts/changes/sign-up-applications.js';
import { SupportCheckUsed } from '../../accounts/operators/support-checks.js';
import { FAULT_STATUS, Fault, type FaultCode } from '../../gateway/http/faults.js';
import { toMemberName } from './answers.js';
import { toApprovalFault } from './approval-answers.js';
import { OperatorFault } from './operator-fault.js';
import { defined } from '../../config/defined.js';

/** Maps an error of another module to a fault; returns null for any other value. */
export type FaultMapper = (error: unknown) => Fault | null;

const SENTENCES: Partial<Record<FaultCode, string>> = {
  method_not_allowed: 'This path does not accept that method.',
  unavailable:
    'The database or Hydra does not answer or refuses the request, or a stored secret cannot be decrypted: try again later, or read the log.',
};

export function toOperatorFault(thrown: unknown, mapper: FaultMapper): OperatorFault {
  if (thrown instanceof OperatorFault) return thrown;
  if (thrown instanceof AccountError) return mapAccountError(thrown);
  if (thrown instanceof ApprovalRefused) return toApprovalFault(thrown.reason);
  if (thrown instanceof ApplicationNotFound) return new OperatorFault(404, 'sign_up_not_found', thrown.message);
  if (thrown instanceof SupportCheckUsed)
    return new OperatorFault(409, 'support_check_ended', `${thrown.message} Begin another check.`);
  const fault = thrown instanceof Fault ? thrown : mapper(thrown);
  if (fault) return mapGatewayFault(fault);
  return thrown instanceof HttpException ? mapNestStatus(thrown.getStatus()) : buildInternalFault();
}

function mapAccountError(error: AccountError): OperatorFault {
  const field = toMemberName(error.field);
  const code = error.code.replaceAll('-', '_');
  if (error instanceof AccountNotFound) return new OperatorFault(404, code, error.message);
  if (error instanceof UsernameTaken) return new OperatorFault(409, code, error.message, { field });
  if (error instanceof AttributeInvalid) return new OperatorFault(422, code, error.message, { field, pointer: error.pointer });
  const status = error instanceof AccountFieldInvalid ? 422 : 409;
  return new OperatorFault(status, code, error.message.replaceAll(error.field, field), { field });
}

function mapGatewayFault({ code, hints }: Fault): OperatorFault {
  const status = FAULT_STATUS[code];
  const headers = {
    ...defined({ Allow: hints.allow }),
    ...(hints.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(hints.retryAfterSeconds) }),
  };
  return new OperatorFault(status, code, SENTENCES[code] ?? 'The request was refused.', { headers });
}

function mapNestStatus(status: number): OperatorFault {
  if (status === 404) return new OperatorFault(404, 'not_found', 'The operator API has no such path.');
  return status < 500 ? new OperatorFault(status, 'bad_request', 'The request is malformed.') : buildInternalFault();
}

function buildInternalFault(): OperatorFault {
  return new OperatorFault(
    500,
    'internal',
    'An internal error occurred; the log has the details under the X-Request-Id of this answer.',
  );
}
