/**
 * Answers every thrown value: `ThrownOutcome` with its outcome, `CallFailed` with its code and hints, and any other value with a
 * code and the request id (ERR-6), as JSON for calls and on request, otherwise as a page; if an answer has begun, the
 * connection is closed. The details go to the log.
 */
import { Catch, HttpException, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { defined } from '../../config/defined.js';
import { LOG } from '../../config/log.token.js';
import { FIELDS } from '../../contract/form-fields.js';
import type { ServerErrorState } from '../../contract/page-state.js';
import { toLoggedPath } from './access-log.js';
import { CallFailed, toCallCode, isCall } from './calls.js';
import { FAULT_STATUS, Fault, type FaultCode } from './faults.js';
import { ThrownOutcome, page } from '../page/outcome.js';
import { Responder } from '../page/responder.js';
import { ReturnTickets } from '../page/return-tickets.js';
import type { ContextualRequest } from './request-context.js';

/** Maps errors of other modules to faults; bound in `app.module.ts`, because the gateway does not import those modules. */
export type FaultMapper = (error: unknown) => Fault | null;

export const FAULT_MAPPER = Symbol('FaultMapper');

const WARNED_CODES: readonly FaultCode[] = ['unavailable', 'forbidden', 'app_settings'];

const CODE_BY_STATUS: Readonly<Record<number, FaultCode>> = Object.fromEntries(
  Object.entries(FAULT_STATUS).map(([code, status]) => [status, code as FaultCode]),
);

@Catch()
export class FaultFilter implements ExceptionFilter {
  constructor(
    private readonly responder: Responder,
    private readonly tickets: ReturnTickets,
    @Inject(LOG) private readonly log: Logger,
    @Inject(FAULT_MAPPER) private readonly mapper: FaultMapper,
  ) {}

  catch(thrownValue: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(thrownValue, http.getRequest<ContextualRequest>(), http.getResponse<Response>());
  }

  answer(thrownValue: unknown, request: ContextualRequest, response: Response): void {
    if (thrownValue instanceof ThrownOutcome) {
      this.responder.send(response, request.context, thrownValue.outcome);
      return;
    }
    if (thrownValue instanceof CallFailed) {
      answerCall(response, thrownValue);
      return;
    }
    const fault = this.#toFault(thrownValue);
    const { context } = request;
    const level = fault.code === 'internal' ? 'error' : WARNED_CODES.includes(fault.code) ? 'warn' : 'debug';
    this.log[level](
      {
        requestId: context.requestId,
        code: fault.code,
        reason: fault.message,
        ...(level === 'error' ? { err: thrownValue } : {}),
      },
      'request failed',
    );
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const state = toState(fault, context.requestId, this.#findRestartUrl(request));
    if (fault.hints.allow !== undefined) response.setHeader('Allow', fault.hints.allow);
    if (isCall(request.path)) {
      if (state.retry_after !== undefined) response.setHeader('Retry-After', String(state.retry_after));
      response.status(state.status).json({ error: toCallCode(fault.code), request_id: state.request_id });
      return;
    }
    if (wantsJson(request)) {
      if (state.retry_after !== undefined) response.setHeader('Retry-After', String(state.retry_after));
      response.status(state.status).json({ error: state.code, request_id: state.request_id });
      return;
    }
    const options = {
      status: state.status,
      ...defined({ retryAfterSeconds: state.retry_after }),
    };
    const self = toSelfUrl(request);
    this.responder.send(response, context, page({ page: 'server_error', server_error: state }, { ...options, self }));
  }

  /** A failed form cannot be sent again from an error page, so the page has a link that restarts the request. */
  #findRestartUrl({ method, body, context }: ContextualRequest): string | null {
    if (method !== 'POST') return null;
    const ticket = (body as Record<string, unknown> | undefined)?.[FIELDS.ticket];
    return this.tickets.open(typeof ticket === 'string' ? ticket : context.resume);
  }

  #toFault(thrownValue: unknown): Fault {
    if (thrownValue instanceof Fault) return thrownValue;
    const mappedFault = this.mapper(thrownValue);
    if (mappedFault) return mappedFault;
    const status = thrownValue instanceof HttpException ? thrownValue.getStatus() : toStatus(thrownValue);
    const code = status === undefined ? undefined : (CODE_BY_STATUS[status] ?? (status < 500 ? 'bad_request' : undefined));
    return code === undefined ? new Fault('internal', toMessage(thrownValue)) : new Fault(code, toKind(thrownValue));
  }
}

/**
 * The address of the language links. After a POST it is only the path, because a link cannot repeat a POST. It is `/` for a
 * path that may contain a token, as in a link whose `?` was encoded.
 */
function toSelfUrl({ method, context: { path, url } }: ContextualRequest): string {
  if (toLoggedPath(path) !== path) return '/';
  return method === 'GET' ? url : path;
}

function toState(fault: Fault, requestId: string, restartUrl: string | null): ServerErrorState {
  const retryAfter = fault.hints.retryAfterSeconds;
  return {
    status: FAULT_STATUS[fault.code],
    code: fault.code,
    request_id: requestId,
    ...(restartUrl === null ? {} : { restart_url: restartUrl }),
    ...defined({ retry_after: retryAfter }),
  };
}

function answerCall(response: Response, { code, status, hints }: CallFailed): void {
  const { retryAfterSeconds, reasons, detail } = hints;
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds));
  response.status(status).json({
    error: code,
    ...defined({ retry_after: retryAfterSeconds }),
    ...defined({ reasons }),
    ...detail,
  });
}

function toMessage(thrownValue: unknown): string {
  return thrownValue instanceof Error ? thrownValue.message : 'A value that is not an error was thrown';
}

/** The message of the framework or parser is not logged: it may contain the query or parts of the body. */
function toKind(thrownValue: unknown): string {
  const { type, name } = Object(thrownValue) as { type?: unknown; name?: unknown };
  return String(typeof type === 'string' ? type : name);
}

/** Body parsers throw plain errors with a status. */
function toStatus(thrownValue: unknown): number | undefined {
  if (!(thrownValue instanceof Error) || !('status' in thrownValue) || typeof thrownValue.status !== 'number') return undefined;
  return thrownValue.status >= 400 && thrownValue.status < 500 ? thrownValue.status : undefined;
}

function wantsJson(request: ContextualRequest): boolean {
  return request.accepts(['html', 'json']) === 'json';
}
