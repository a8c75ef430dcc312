/**
 * Provider transactions: the data that is stored while a person is at a provider. A transaction is sealed, identified by the state
 * parameter, and valid once for ten minutes in the same browser. The data of the provider's adapter is stored without interpretation.
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
  /** Value of the cookie that comes with a form_post callback; null if the browser id is used instead. */
  handle: string | null;
  purpose: ProviderPurpose;
}

export interface StoredTransaction {
  purpose: ProviderPurpose;
  /** Fingerprint of the browser id. */
  browser: string;
  /** What the adapter of the provider returned at the start. */
  begun: unknown;
}

export type AnswerFields = readonly (readonly [name: string, value: string])[];

/** Why a sign-in at a provider failed. */
export interface ProviderProblem {
  challenge: string;
  /** Error code for the login page or, if `provider` is null, for the error page. */
  error: string;
  provider: string | null;
  status: number;
  /** Offer to connect the identity, for the form of the page. */
  offer?: string | undefined;
}

const TRANSACTION_SECONDS = 600;
/** More than the time between two redirects. */
const ANSWER_SECONDS = 120;

@Injectable()
export class ProviderTransactions {
  constructor(private readonly secrets: OneTimeSecrets) {}

  /**
   * @param begin creates the authorization request for this state
   * @returns the address to redirect to
   */
  async start(
    { provider, browser, handle, purpose }: NewTransaction,
    begin: (state: string) => Promise<{ url: string; transaction: unknown }>,
  ): Promise<string> {
    const state = randomToken();
    const { url, transaction } = await begin(state);
    await this.secrets.issue({
      purpose: 'provider-transaction',
      secret: state,
      boundTo: `${provider}\n${handle ?? browser}`,
      payload: JSON.stringify({ purpose, browser: fingerprint(browser), begun: transaction } satisfies StoredTransaction),
      lifetimeSeconds: TRANSACTION_SECONDS,
      ...(purpose.kind === 'connect' ? { accountId: purpose.accountId } : {}),
    });
    return url;
  }

  /**
   * Works once. @param holder the handle or the browser id @returns null if the state is unknown, used or expired, or
   * belongs to another provider or browser
   */
  async consume({
    provider,
    state,
    holder,
  }: {
    provider: string;
    state: string;
    holder: string;
  }): Promise<StoredTransaction | null> {
    const content = await this.secrets.consume('provider-transaction', state, `${provider}\n${holder}`);
    return content?.payload ? (JSON.parse(content.payload) as StoredTransaction) : null;
  }

  /**
   * Stores a form_post callback until the browser returns with its own cookies; until then the callback is not a proof.
   * @returns the name under which the same browser can take the callback
   */
  async storeCallback(provider: string, transaction: StoredTransaction, response: AnswerFields): Promise<string> {
    return this.secrets.issue({
      purpose: 'provider-answer',
      boundTo: `${provider}\n${transaction.browser}`,
      payload: JSON.stringify({ stored: transaction, response }),
      lifetimeSeconds: ANSWER_SECONDS,
      ...(transaction.purpose.kind === 'connect' ? { accountId: transaction.purpose.accountId } : {}),
    });
  }

  /** Works once, in the same browser. */
  async consumeCallback(
    provider: string,
    name: string,
    browser: string,
  ): Promise<{ stored: StoredTransaction; response: AnswerFields } | null> {
    const content = await this.secrets.consume('provider-answer', name, `${provider}\n${fingerprint(browser)}`);
    return content?.payload ? (JSON.parse(content.payload) as { stored: StoredTransaction; response: AnswerFields }) : null;
  }

  /**
   * Stores a problem for a reload of its page in the same browser. Otherwise the reloaded page would only report that the callback was used.
   * @param callback the value that identifies the callback in the URL: the state, or the name of a stored callback
   */
  async storeProblem(callback: string, browser: string, problem: ProviderProblem): Promise<void> {
    await this.secrets.issue({
      purpose: 'provider-problem',
      secret: toProblemKey(callback, browser),
      payload: JSON.stringify(problem),
      lifetimeSeconds: TRANSACTION_SECONDS,
    });
  }

  async findProblem(callback: string, browser: string): Promise<ProviderProblem | null> {
    const content = await this.secrets.find('provider-problem', toProblemKey(callback, browser));
    return content?.payload ? (JSON.parse(content.payload) as ProviderProblem) : null;
  }
}

function toProblemKey(callback: string, browser: string): string {
  return `${callback}\n${browser}`;
}
