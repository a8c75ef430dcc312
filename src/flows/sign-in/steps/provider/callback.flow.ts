/**
 * The provider callback. The state parameter identifies the provider transaction and works once. The provider is called only after
 * the transaction was found. A form_post callback arrives with only the transaction cookie, so the callback is stored until the browser
 * returns with its other cookies (docs/security.md D9).
 */
import { Injectable } from '@nestjs/common';
import {
  ProviderTransactions,
  type AnswerFields,
  type ProviderProblem,
  type StoredTransaction,
} from '../../../../accounts/secrets/provider-transactions.js';
import { defined } from '../../../../config/defined.js';
import { PROVIDER_QUERY } from '../../../../contract/form-fields.js';
import { PATHS } from '../../../../contract/paths.js';
import { Fault } from '../../../../gateway/http/faults.js';
import { redirect, type Outcome } from '../../../../gateway/page/outcome.js';
import { ReturnTickets } from '../../../../gateway/page/return-tickets.js';
import type { RequestContext } from '../../../../gateway/http/request-context.js';
import type { ProviderProfile } from '../../../../providers/identity-providers.port.js';
import { LoginScreens } from '../../login-screens.js';
import { ConnectProviderFlow } from './connect.flow.js';
import { CallbackVerification } from './callback-verification.js';
import { ProviderSignIn } from './provider-sign-in.flow.js';

/** Accepted parameters with their maximum length; other parameters and longer values are ignored. */
const PARAMETERS: Readonly<Record<string, number>> = { state: 200, code: 4096, iss: 500, error: 200, user: 2000 };

@Injectable()
export class ProviderCallbackFlow {
  constructor(
    private readonly transactions: ProviderTransactions,
    private readonly verification: CallbackVerification,
    private readonly signIn: ProviderSignIn,
    private readonly connectProvider: ConnectProviderFlow,
    private readonly tickets: ReturnTickets,
    private readonly screens: LoginScreens,
  ) {}

  async takeQuery(provider: ProviderProfile, context: RequestContext): Promise<Outcome> {
    if (provider.responseMode !== 'query')
      throw new Fault('method_not_allowed', 'This provider sends its callback as a form', { allow: 'POST' });
    const response = toAnswerFields(new URL(context.url, 'http://gateway').searchParams);
    const transaction = await this.#take(provider, response, context.browser);
    const [callbackKey = ''] = toStates(response);
    return transaction
      ? this.#conclude(provider, { transaction, response, callbackKey }, context)
      : this.answerUnknown(provider, context, callbackKey);
  }

  /**
   * The provider's page posts this form. The browser is redirected even if the callback is not valid; a valid callback is stored
   * until the browser returns.
   * @throws Fault if the provider does not send its callback as a form
   */
  async takeForm(provider: ProviderProfile, body: unknown, context: RequestContext): Promise<Outcome> {
    if (provider.responseMode !== 'form_post')
      throw new Fault('method_not_allowed', 'This provider sends its callback as a query', { allow: 'GET' });
    const response = toAnswerFields(toFormFields(body));
    const transaction =
      context.providerTransaction === null ? null : await this.#take(provider, response, context.providerTransaction);
    const name = transaction ? await this.transactions.storeCallback(provider.id, transaction, response) : '';
    return redirect(`${PATHS.login}/${provider.id}${PATHS.providerAccount}?${PROVIDER_QUERY.answer}=${name}`);
  }

  async resume(provider: ProviderProfile, name: string, context: RequestContext): Promise<Outcome> {
    const storedCallback = await this.transactions.consumeCallback(provider.id, name, context.browser);
    return storedCallback
      ? this.#conclude(
          provider,
          { transaction: storedCallback.stored, response: storedCallback.response, callbackKey: name },
          context,
        )
      : this.answerUnknown(provider, context, name);
  }

  /**
   * Handles a callback whose state, or whose name after a form_post callback, is unknown, used or expired, or belongs to another
   * browser. The provider is not called.
   * @param callbackKey the state, or the name of the stored callback: a problem that was shown for it is shown again
   */
  async answerUnknown({ id }: ProviderProfile, context: RequestContext, callbackKey: string): Promise<Outcome> {
    const problem = callbackKey === '' ? null : await this.transactions.findProblem(callbackKey, context.browser);
    if (problem) return this.signIn.repeat(problem, context);
    this.verification.logForeign(id, context);
    const outcome = await this.connectProvider.redirectUnknown(context);
    return outcome ?? this.screens.buildUnknownCallbackPage(this.tickets.open(context.resume), context);
  }

  async #take({ id }: ProviderProfile, response: AnswerFields, holder: string): Promise<StoredTransaction | null> {
    const states = toStates(response);
    const [state = ''] = states;
    return states.length === 1 ? this.transactions.consume({ provider: id, state, holder }) : null;
  }

  async #conclude(
    provider: ProviderProfile,
    { transaction, response, callbackKey }: { transaction: StoredTransaction; response: AnswerFields; callbackKey: string },
    context: RequestContext,
  ): Promise<Outcome> {
    const prove = () =>
      this.verification.verify(
        transaction,
        new URLSearchParams(response.map(([name, value]): [string, string] => [name, value])),
        context,
      );
    const { purpose } = transaction;
    if (purpose.kind === 'connect') return this.connectProvider.finish({ provider, purpose, prove }, context);
    // The state replaces the anti-forgery value: another holder of the browser id cannot fetch this result.
    const [state = ''] = toStates(response);
    const outcome = await this.signIn.finish({ provider, purpose, prove }, { ...context, submission: state });
    const problem = toProblem(outcome, purpose.challenge);
    if (problem) await this.transactions.storeProblem(callbackKey, context.browser, problem);
    return outcome;
  }
}

function toProblem(outcome: Outcome, challenge: string): ProviderProblem | null {
  if (outcome.kind !== 'page') return null;
  const { content, status } = outcome;
  if (content.page === 'server_error') return { challenge, error: content.server_error.code, provider: null, status };
  if (content.page !== 'login') return null;
  const { error, provider, connect } = content.login;
  return error && provider !== undefined ? { challenge, error, provider, status, ...defined({ offer: connect?.offer }) } : null;
}

function toStates(response: AnswerFields): string[] {
  return response.flatMap(([name, value]) => (name === 'state' ? [value] : []));
}

function toAnswerFields(parameters: URLSearchParams): AnswerFields {
  return [...parameters].filter(([name, value]) => Object.hasOwn(PARAMETERS, name) && value.length <= (PARAMETERS[name] ?? 0));
}

/** Keeps repeated fields, because a callback with two states is refused. */
function toFormFields(body: unknown): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, values] of Object.entries(typeof body === 'object' && body !== null ? body : {})) {
    for (const value of [values].flat() as unknown[]) if (typeof value === 'string') fields.append(name, value);
  }
  return fields;
}
