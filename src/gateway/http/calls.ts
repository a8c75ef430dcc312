/**
 * Determines which paths are RPC calls (JSON in, JSON out, never a page), admits calls to the account area, and maps faults to
 * error codes (RPC-8, RPC-9).
 */
import type { RequestHandler } from 'express';
import type { PasswordFault } from '../../contract/manage-state.js';
import { CALL_HEADERS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { RPC_ERROR_STATUS, type RpcErrorCode } from '../../contract/rpc.js';
import type { ManageHttpRequest, ManageSessions } from '../security/manage-sessions.port.js';
import { readBearer } from './bearer.js';
import { Fault, type FaultCode } from './faults.js';

/** Paths of the calls in a sign-in's second step, for every kind of factor. */
const MFA_CALL = /^\/mfa\/(?:init|verify)-[a-z\d-]+$/;

/** A call that failed with an error code of the catalogue. It may have counted an attempt. */
export class CallFailed extends Error {
  readonly status: number;

  /**
   * @param hints `retryAfterSeconds`: with `too many requests`, `unavailable` and `credentials frozen`; `reasons`: with `password
   * not strong enough`; `detail`: further members of the answer
   */
  constructor(
    readonly code: RpcErrorCode,
    readonly hints: {
      retryAfterSeconds?: number;
      reasons?: readonly PasswordFault[];
      detail?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(code);
    this.name = 'CallFailed';
    this.status = RPC_ERROR_STATUS[code];
  }
}

export function isCall(path: string): boolean {
  return isRpcCall(path) || MFA_CALL.test(path);
}

export function isRpcCall(path: string): boolean {
  return path === PATHS.manageRpc || path.startsWith(`${PATHS.manageRpc}/`);
}

/** Runs before the body is read, so that the answer to an invalid body contains the next token too (RPC-8). */
export function rpcAccess(sessions: ManageSessions): RequestHandler {
  return (request, response, next) => {
    if (!isRpcCall(request.path)) return next();
    const bearer = readBearer(request);
    const manageRequest = request as ManageHttpRequest;
    const pendingAdmission = bearer === null ? Promise.resolve(null) : sessions.admitCall(bearer, manageRequest.context);
    pendingAdmission.then((admission) => {
      if (!admission) {
        response.setHeader('WWW-Authenticate', 'Bearer');
        return next(new Fault('unauthorized', 'The call has no valid token'));
      }
      manageRequest.session = admission.session;
      response.setHeader(CALL_HEADERS.nextToken, admission.nextToken);
      next();
    }, next);
  };
}

const CODE_BY_FAULT: Readonly<Partial<Record<FaultCode, RpcErrorCode>>> = {
  bad_request: 'could not parse request',
  too_large: 'could not parse request',
  unsupported: 'could not parse request',
  unauthorized: 'unauthorized',
  forbidden: 'forbidden',
  page_not_found: 'page_not_found',
  limited: 'too many requests',
  unavailable: 'unavailable',
};

/** The `error` member for a fault of the gateway. */
export function toCallCode(code: FaultCode): RpcErrorCode {
  return CODE_BY_FAULT[code] ?? 'error';
}
