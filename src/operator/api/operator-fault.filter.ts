/** Answers every thrown value with JSON. Details go to the log, never to the client. */
import type { ServerResponse } from 'node:http';
import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Logger } from 'pino';
import { OperatorApprovals } from '../../accounts/operators/operator-approvals.js';
import { defined } from '../../config/defined.js';
import { LOG } from '../../config/log.token.js';
import { FAULT_MAPPER } from '../../gateway/http/fault.filter.js';
import type { OperatorRequest } from './operator-context.js';
import { toOperatorFault, type FaultMapper } from './fault-answers.js';
import { ScimRefused } from '../../accounts/scim/scim-refused.js';
import { isScimPath } from '../scim/scim-access.js';
import { sendError } from '../scim/scim-answers.js';
import { OPERATOR_API, type ErrorAnswer } from '../wire.js';
import { toApprovalAnswer } from './approval-answers.js';
import { OperationHeld } from './approval-gate.js';

const JSON_TYPE = 'application/json; charset=utf-8';

@Catch()
export class OperatorFaultFilter implements ExceptionFilter {
  constructor(
    @Inject(LOG) private readonly log: Logger,
    @Inject(FAULT_MAPPER) private readonly mapper: FaultMapper,
    private readonly approvals: OperatorApprovals,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<OperatorRequest>();
    const { context } = request;
    const response = http.getResponse<ServerResponse>();
    if (thrown instanceof OperationHeld) {
      const { approval } = thrown;
      const headers = { 'Content-Type': JSON_TYPE, Location: `${OPERATOR_API}/approvals/${approval.id}` };
      response
        .writeHead(202, headers)
        .end(JSON.stringify(toApprovalAnswer(approval, this.approvals.needsSupport(approval, context))));
      return;
    }
    const isScim = isScimPath(request.url);
    if (isScim && thrown instanceof ScimRefused) return sendError(response, thrown);
    const fault = toOperatorFault(thrown, this.mapper);
    const { status, code, message, hints } = fault;
    if (status >= 500) {
      // For a 503 the message is enough; other errors are defects and are logged with their stack.
      const cause = status === 503 && thrown instanceof Error ? { reason: thrown.message } : { err: thrown };
      this.log[status === 503 ? 'warn' : 'error']({ requestId: context.requestId, code, ...cause }, 'operator call failed');
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (isScim) return sendError(response, fault);
    const answer: ErrorAnswer = {
      error: code,
      message,
      ...defined({ field: hints.field }),
      ...defined({ pointer: hints.pointer }),
      ...defined({ faults: hints.faults }),
    };
    response.writeHead(status, { 'Content-Type': JSON_TYPE, ...hints.headers });
    response.end(JSON.stringify(answer));
  }
}
