/** Maps every thrown value to an operator fault, whose content the client may read. */
import { HttpException } from '@nestjs/common';
import {
  AccountError,
  AccountFieldInvalid,
  AccountNotFound,
  AttributeInvalid,
  UsernameTaken,
} from '../../accounts/account/account.errors.js';
import { FAULT_STATUS, Fault, type FaultCode } from '../../gateway/http/faults.js';
import { memberName } from './answers.js';
import { OperatorFault } from './operator-fault.js';
import { defined } from '../../config/defined.js';

/** Maps errors of other modules; bound at start. */
export type FaultMapper = (error: unknown) => Fault | null;

const SENTENCES: Partial<Record<FaultCode, string>> = {
  method_not_allowed: 'This address does not take that method.',
  unavailable: 'The database or the upstream does not answer at the moment: try again.',
};

export function toOperatorFault(thrown: unknown, mapper: FaultMapper): OperatorFault {
  if (thrown instanceof OperatorFault) return thrown;
  if (thrown instanceof AccountError) return ofAccount(thrown);
  const fault = thrown instanceof Fault ? thrown : mapper(thrown);
  if (fault) return ofGateway(fault);
  return thrown instanceof HttpException ? ofNest(thrown.getStatus()) : internal();
}

function ofAccount(error: AccountError): OperatorFault {
  const field = memberName(error.field);
  const code = error.code.replaceAll('-', '_');
  if (error instanceof AccountNotFound) return new OperatorFault(404, code, error.message);
  if (error instanceof UsernameTaken) return new OperatorFault(409, code, error.message, { field });
  if (error instanceof AttributeInvalid) return new OperatorFault(422, code, error.message, { field, pointer: error.pointer });
  const status = error instanceof AccountFieldInvalid ? 422 : 409;
  return new OperatorFault(status, code, error.message.replaceAll(error.field, field), { field });
}

function ofGateway({ code, hints }: Fault): OperatorFault {
  const status = FAULT_STATUS[code];
  const headers = {
    ...defined({ Allow: hints.allow }),
    ...(hints.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(hints.retryAfterSeconds) }),
  };
  return new OperatorFault(status, code, SENTENCES[code] ?? 'The request was refused.', { headers });
}

function ofNest(status: number): OperatorFault {
  if (status === 404) return new OperatorFault(404, 'not_found', 'There is no such address in the operator API.');
  return status < 500 ? new OperatorFault(status, 'bad_request', 'The request cannot be understood.') : internal();
}

function internal(): OperatorFault {
  return new OperatorFault(500, 'internal', 'Something went wrong here; the log has more under the X-Request-Id of this answer.');
}
