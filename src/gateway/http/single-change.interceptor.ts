/**
 * Lets one token of the account area make one change (RPC-8). A repeated call gets the first answer, and waits about 5
 * seconds for it at most; a different change with a used token is refused. Calls that only read are not affected.
 */
import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Logger } from 'pino';
import { catchError, concatMap, from, throwError, type Observable } from 'rxjs';
import { LOG } from '../../config/log.token.js';
import { ManageSessions, type ManageChange } from '../security/manage-sessions.port.js';
import { readBearer } from './bearer.js';
import { CallFailed, isRpcCall } from './calls.js';
import type { ContextualRequest } from './request-context.js';

const CHECK_EVERY_MS = 50;
const MAX_CHECKS = 100;
const RETRY_SECONDS = 2;

type Hints = CallFailed['hints'];
/** The result of a call, or its error. */
type Answer = { result: unknown } | { code: CallFailed['code']; hints: Hints };

@Injectable()
export class SingleChangeInterceptor implements NestInterceptor {
  constructor(
    private readonly sessions: ManageSessions,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  async intercept(execution: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = execution.switchToHttp().getRequest<ContextualRequest>();
    if (!isRpcCall(request.path) || request.method === 'GET') return next.handle();
    const change = { bearer: readBearer(request) ?? '', request: toText(request) };
    const earlierAnswer = await this.#findEarlierAnswer(change);
    if (earlierAnswer !== null) return from(Promise.resolve(toResult(earlierAnswer)));
    return this.#runFirst(next, (answer) => this.#store(change, answer, request.context.requestId));
  }

  /** @returns null for the first call. @throws CallFailed */
  async #findEarlierAnswer(change: ManageChange): Promise<Answer | null> {
    for (let check = 0; check < MAX_CHECKS; check++) {
      const claim = await this.sessions.claimChange(change);
      if (claim.state === 'new') return null;
      if (claim.state === 'answered') return claim.answer as Answer;
      if (claim.state === 'other') throw new CallFailed('token used');
      await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
    }
    throw new CallFailed('unavailable', { retryAfterSeconds: RETRY_SECONDS });
  }

  #runFirst(next: CallHandler, store: (answer: Answer | null) => Promise<void>): Observable<unknown> {
    return next.handle().pipe(
      catchError((error: unknown) => from(store(toAnswer(error))).pipe(concatMap(() => throwError(() => error)))),
      concatMap(async (result: unknown) => {
        await store({ result });
        return result;
      }),
    );
  }

  /** Never throws, because the change may have been made. If the answer was not stored, a repeated call fails and changes nothing. */
  async #store(change: ManageChange, answer: Answer | null, requestId: string): Promise<void> {
    try {
      await this.sessions.storeChange(change, answer);
    } catch (err) {
      this.log.warn({ requestId, err }, 'the answer to a change could not be stored');
    }
  }
}

/** @throws CallFailed for a body that is nested too deeply */
function toText({ method, path, body }: ContextualRequest): string {
  try {
    return JSON.stringify([method, path, (body as unknown) ?? null]);
  } catch {
    throw new CallFailed('could not parse request');
  }
}

/** @returns null after any error other than `CallFailed`, so that the same call may be tried again */
function toAnswer(error: unknown): Answer | null {
  return error instanceof CallFailed ? { code: error.code, hints: error.hints } : null;
}

function toResult(answer: Answer): unknown {
  if ('result' in answer) return answer.result;
  throw new CallFailed(answer.code, answer.hints);
}
