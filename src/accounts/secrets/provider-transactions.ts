/**
 * What somebody was sent to a provider for, while they are there: kept sealed under the state of the request, once, ten
 * minutes, for the browser that went. It knows no provider; what theirs needs again is kept for the caller as it is.
 */
import { Injectable } from '@nestjs/common';
import { fingerprint, randomToken } from '../../config/keys.js';
import { OneTimeSecrets } from './one-time-secrets.js';

export type ProviderPurpose =
  | { kind: 'sign-in'; challenge: string; remember: boolean }
  | { kind: 'connect'; accountId: string; sessionId: string; returnTo: string };

export interface NewTransaction {
  provider: string;
  browser: string;
  /** What the answer will be brought with where it brings no other cookie; null: the browser's own id. */
  handle: string | null;
  purpose: ProviderPurpose;
}

export interface StoredTransaction {
  purpose: ProviderPurpose;
  /** Fingerprint of the browser's id. */
  browser: string;
  begun: unknown;
}

export type AnswerFields = readonly (readonly [name: string, value: string])[];

const TRANSACTION_SECONDS = 600;
/** From one redirect to the next. */
const ANSWER_SECONDS = 120;

@Injectable()
export class ProviderTransactions {
  constructor(private readonly secrets: OneTimeSecrets) {}

  /**
   * @param begin makes the request at the provider, under a state that names it in the answer
   * @returns where the browser is sent
   */
  async send(
    { provider, browser, handle, purpose }: NewTransaction,
    begin: (state: string) => Promise<{ url: string; transaction: unknown }>,
  ): Promise<string> {
    const state = randomToken();
    const { url, transaction: begun } = await begin(state);
    await this.secrets.issue({
      purpose: 'provider-transaction',
      secret: state,
      boundTo: `${provider}\n${handle ?? browser}`,
      payload: JSON.stringify({ purpose, browser: fingerprint(browser), begun } satisfies StoredTransaction),
      lifetimeSeconds: TRANSACTION_SECONDS,
      ...(purpose.kind === 'connect' ? { accountId: purpose.accountId } : {}),
    });
    return url;
  }

  /** Once. @param holder the handle, or the browser's id. @returns null for a state that is unknown, used, too old, of another provider or brought by another browser */
  async take({
    provider,
    state,
    holder,
  }: {
    provider: string;
    state: string;
    holder: string;
  }): Promise<StoredTransaction | null> {
    const taken = await this.secrets.consume('provider-transaction', state, `${provider}\n${holder}`);
    return taken?.payload ? (JSON.parse(taken.payload) as StoredTransaction) : null;
  }

  /**
   * An answer that came without the browser's own cookies waits for them: whoever brought it proves nothing by it yet.
   * @returns what the browser that began names it by
   */
  async park(provider: string, stored: StoredTransaction, response: AnswerFields): Promise<string> {
    return this.secrets.issue({
      purpose: 'provider-answer',
      boundTo: `${provider}\n${stored.browser}`,
      payload: JSON.stringify({ stored, response }),
      lifetimeSeconds: ANSWER_SECONDS,
      ...(stored.purpose.kind === 'connect' ? { accountId: stored.purpose.accountId } : {}),
    });
  }

  /** Once, in the browser that began. */
  async unpark(
    provider: string,
    name: string,
    browser: string,
  ): Promise<{ stored: StoredTransaction; response: AnswerFields } | null> {
    const taken = await this.secrets.consume('provider-answer', name, `${provider}\n${fingerprint(browser)}`);
    return taken?.payload ? (JSON.parse(taken.payload) as { stored: StoredTransaction; response: AnswerFields }) : null;
  }
}
