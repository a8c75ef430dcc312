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

/** The code of an error that has only a status. `app_settings` has the status of `forbidden`, and only a `Fault` can mean it. */
const CODE_BY_STATUS: Readonly<Record<number, FaultCode>> = Object.fromEntries(
  Object.entries(FAULT_STATUS).flatMap(([code, status]) => (code === 'app_settings' ? [] : [[status, code as FaultCode]])),
);

@Catch()
export class FaultFilter implements ExceptionFilter {
  constructor(
    private readonly responder: Responder,
    private readonly tickets: ReturnTickets,
    @Inject(LOG) private readonly log: Logger,
    @Inject(FAULT_MAPPER) private readonly mapper: FaultMapper,
  ) {}

  catch(value: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(value, http.getRequest<ContextualRequest>(), http.getResponse<Response>());
  }

  answer(value: unknown, request: ContextualRequest, response: Response): void {
    if (value instanceof ThrownOutcome) {
      this.responder.send(response, request.context, value.outcome);
      return;
    }
    if (value instanceof CallFailed) {
      answerCall(response, value);
      return;
    }
    const fault = this.#toFault(value);
    const { context } = request;
    const level = fault.code === 'internal' ? 'error' : WARNED_CODES.includes(fault.code) ? 'warn' : 'debug';
    this.log[level](
      { requestId: context.requestId, code: fault.code, reason: fault.message, ...(level === 'error' ? { err: value } : {}) },
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

  #toFault(value: unknown): Fault {
    if (value instanceof Fault) return value;
    const mappedFault = this.mapper(value);
    if (mappedFault) return mappedFault;
    const status = value instanceof HttpException ? value.getStatus() : toStatus(value);
    const code = status === undefined ? undefined : (CODE_BY_STATUS[status] ?? (status < 500 ? 'bad_request' : undefined));
    return code === undefined ? new Fault('internal', toMessage(value)) : new Fault(code, toKind(value));
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

function toMessage(value: unknown): string {
  return value instanceof Error ? value.message : 'A value that is not an error was thrown';
}

/** The message of the framework or parser is not logged: it may contain the query or parts of the body. */
function toKind(value: unknown): string {
  const { type, name } = Object(value) as { type?: unknown; name?: unknown };
  return String(typeof type === 'string' ? type : name);
}

/** Body parsers throw plain errors with a status. */
function toStatus(value: unknown): number | undefined {
  if (!(value instanceof Error) || !('status' in value) || typeof value.status !== 'number') return undefined;
  return value.status >= 400 && value.status < 500 ? value.status : undefined;
}

function wantsJson(request: ContextualRequest): boolean {
  return request.accepts(['html', 'json']) === 'json';
}
