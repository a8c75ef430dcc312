/** Verifies a provider callback. Texts that the provider sends are neither shown nor logged (S-73c). */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { StoredTransaction } from '../../../../accounts/secrets/provider-transactions.js';
import { LOG } from '../../../../config/log.token.js';
import type { RequestContext } from '../../../../gateway/http/request-context.js';
import {
  IdentityProviders,
  type ExternalIdentity,
  type ProviderTransaction,
} from '../../../../providers/identity-providers.port.js';
import { ProviderCancelled, ProviderRefused, ProviderUnavailable } from '../../../../providers/provider.errors.js';

export type CallbackVerdict = { kind: 'proven'; identity: ExternalIdentity } | { kind: 'cancelled' | 'refused' | 'unavailable' };

@Injectable()
export class CallbackVerification {
  constructor(
    private readonly providers: IdentityProviders,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  async verify({ begun }: StoredTransaction, response: URLSearchParams, context: RequestContext): Promise<CallbackVerdict> {
    // The transaction was stored sealed, exactly as the provider adapter created it.
    const transaction = begun as ProviderTransaction;
    try {
      return { kind: 'proven', identity: await this.providers.finish(transaction, response) };
    } catch (error) {
      const kind = toKind(error);
      if (kind === null) throw error;
      this.#logFailure(kind, {
        provider: transaction.provider,
        requestId: context.requestId,
        address: context.address,
        reason: error,
      });
      return { kind };
    }
  }

  /** Logs a callback for which this browser has no open provider transaction. */
  logForeign(provider: string, { requestId, address }: RequestContext): void {
    this.log.warn(
      { requestId, address, provider, event: 'provider.foreign' },
      'a provider callback does not belong to an open request of this browser',
    );
  }

  #logFailure(
    kind: string,
    { reason, ...request }: { provider: string; requestId: string; address: string; reason: unknown },
  ): void {
    const message = reason instanceof Error ? reason.message : '';
    const level = kind === 'cancelled' ? 'debug' : 'warn';
    this.log[level]({ ...request, event: `provider.${kind}`, reason: message }, 'a sign-in at a provider failed');
  }
}

function toKind(error: unknown): 'cancelled' | 'refused' | 'unavailable' | null {
  if (error instanceof ProviderCancelled) return 'cancelled';
  if (error instanceof ProviderRefused) return 'refused';
  return error instanceof ProviderUnavailable ? 'unavailable' : null;
}
