/**
 * The token hook, which Hydra calls before it issues a token. Hydra issues the token only after 200 and 204. After 403 the app
 * receives `access_denied`, and after any other status `server_error`, after which it may try again.
 */
import type { ServerResponse } from 'node:http';
import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOG } from '../../config/log.token.js';
import { Telemetry } from '../../telemetry/telemetry.js';
import type { OperatorRequest } from '../api/operator-context.js';
import { OperatorFault } from '../api/operator-fault.js';
import { WithoutToken } from '../api/rights.guard.js';
import { TOKEN_HOOK_PATH } from './hook-key.js';
import { HookRequestInvalid, readHookRequest, type HookRequest } from './hook-request.js';
import { TokenHook, type HookVerdict } from './token-hook.js';

@Controller()
export class TokenHookController {
  constructor(
    private readonly hook: TokenHook,
    private readonly telemetry: Telemetry,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** @throws OperatorFault unless Hydra may issue the token */
  @Post(TOKEN_HOOK_PATH)
  @WithoutToken()
  async answer(@Req() request: OperatorRequest, @Res() response: ServerResponse): Promise<void> {
    // A token of the operator API cannot replace the key, and without a configured key the hook is off.
    if (request.isAdmitted !== true) throw new OperatorFault(404, 'not_found', 'The operator API has no such path.');
    const hookRequest = this.#read(request);
    const verdict = await this.hook.decide(hookRequest, request.context.requestId);
    this.#count(verdict.kind);
    if (verdict.kind === 'unchanged') return void response.writeHead(204).end();
    if (verdict.kind !== 'renewed') throw this.#refuse(verdict, hookRequest, request);
    response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify({ session: verdict.session }));
  }

  #read({ body, context: { requestId } }: OperatorRequest): HookRequest | null {
    try {
      return readHookRequest(body);
    } catch (error) {
      if (!(error instanceof HookRequestInvalid)) throw error;
      this.#count('malformed');
      this.log.warn({ requestId, reason: error.message }, 'token hook: a call could not be read');
      throw new OperatorFault(400, 'bad_request', error.message);
    }
  }

  #refuse(
    verdict: Exclude<HookVerdict, { kind: 'renewed' | 'unchanged' }>,
    hookRequest: HookRequest | null,
    { context: { requestId } }: OperatorRequest,
  ): OperatorFault {
    const { clientId: client } = hookRequest?.token ?? {};
    if (verdict.kind === 'claims-too-large') {
      const { accountId, bytes } = verdict;
      this.log.error({ requestId, client, accountId, bytes }, 'token hook: the claims of a person are too large for a token');
      return new OperatorFault(422, 'claims_too_large', 'The claims of this person are too large for a token.');
    }
    if (verdict.kind === 'source-down') {
      this.log.warn(
        { requestId, client, subject: hookRequest?.token.subject },
        'token hook: the user source of a person does not answer',
      );
      return new OperatorFault(424, 'source_unavailable', 'The user source of this person does not answer.');
    }
    this.log.info(
      { requestId, client, subject: hookRequest?.token.subject, reason: verdict.kind },
      'token hook: a token was refused',
    );
    return new OperatorFault(403, 'refused', `The token must not be issued (${verdict.kind}).`);
  }

  #count(result: HookVerdict['kind'] | 'malformed'): void {
    this.telemetry.count('foyer.hook.answers', { 'foyer.hook.result': result });
  }
}
