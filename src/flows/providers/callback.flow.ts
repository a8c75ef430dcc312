/**
 * A provider's answer comes back: to whom it belongs, and for what. The state names what was begun, once; only then is the
 * provider asked anything. An answer by a form brings no cookie of ours but its handle, so it waits for the browser to
 * come again with the others (security decision D9).
 */
import { Injectable } from '@nestjs/common';
import { ProviderTransactions } from '../../accounts/secrets/provider-transactions.js';
import type { AnswerFields, KeptTransaction } from '../../accounts/secrets/provider-transactions.js';
import { PROVIDER_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { Fault } from '../../gateway/http/faults.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { ReturnTickets } from '../../gateway/page/return-tickets.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { ProviderProfile } from '../../providers/identity-providers.port.js';
import { LoginScreens } from '../sign-in/login-screens.js';
import { ConnectProviderFlow } from './connect.flow.js';
import { ProviderProof } from './provider-proof.js';
import { ProviderSignIn } from './provider-sign-in.flow.js';

/** What an answer may consist of, and how long each part may be; the rest is nobody's business. */
const PARTS: Readonly<Record<string, number>> = { state: 200, code: 4096, iss: 500, error: 200, user: 2000 };

@Injectable()
export class ProviderCallbackFlow {
  constructor(
    private readonly revocations: ProviderTransactions,
    private readonly proof: ProviderProof,
    private readonly signIn: ProviderSignIn,
    private readonly connecting: ConnectProviderFlow,
    private readonly tickets: ReturnTickets,
    private readonly screens: LoginScreens,
  ) {}

  async byQuery(provider: ProviderProfile, context: RequestContext): Promise<Outcome> {
    if (provider.responseMode !== 'query')
      throw new Fault('method_not_allowed', 'This provider answers by a form', { allow: 'POST' });
    const answer = partsOf(new URL(context.url, 'http://gateway').searchParams);
    const kept = await this.#take(provider, answer, context.browser);
    return kept ? this.#conclude(provider, { kept, answer }, context) : this.lost(provider, context);
  }

  /** Comes from the provider's page. Whatever it brings, the browser is sent on, and what it brought waits for it there. */
  async byForm(provider: ProviderProfile, body: unknown, context: RequestContext): Promise<Outcome> {
    if (provider.responseMode !== 'form_post')
      throw new Fault('method_not_allowed', 'This provider answers by a link', { allow: 'GET' });
    const answer = partsOf(fieldsOf(body));
    const kept = context.answer === null ? null : await this.#take(provider, answer, context.answer);
    const name = kept ? await this.revocations.park(provider.id, kept, answer) : '';
    return redirect(`${PATHS.login}/${provider.id}${PATHS.providerAccount}?${PROVIDER_QUERY.answer}=${name}`);
  }

  async parked(provider: ProviderProfile, name: string, context: RequestContext): Promise<Outcome> {
    const parked = await this.revocations.unpark(provider.id, name, context.browser);
    return parked ? this.#conclude(provider, parked, context) : this.lost(provider, context);
  }

  /** Unknown, used, too old, or of another browser: nothing is asked of anybody. */
  async lost({ id }: ProviderProfile, context: RequestContext): Promise<Outcome> {
    this.proof.noteForeign(id, context);
    const area = await this.connecting.lost(context);
    return area ?? this.screens.lost(this.tickets.open(context.resume), context);
  }

  async #take({ id }: ProviderProfile, answer: AnswerFields, holder: string): Promise<KeptTransaction | null> {
    const states = statesOf(answer);
    const [state = ''] = states;
    return states.length === 1 ? this.revocations.take({ provider: id, state, holder }) : null;
  }

  #conclude(
    provider: ProviderProfile,
    { kept, answer }: { kept: KeptTransaction; answer: AnswerFields },
    context: RequestContext,
  ): Promise<Outcome> {
    const prove = () =>
      this.proof.of(kept, new URLSearchParams(answer.map(([name, value]): [string, string] => [name, value])), context);
    const { purpose } = kept;
    if (purpose.kind === 'connect') return this.connecting.finish({ provider, purpose, prove }, context);
    // The state takes the place of a form's text: whoever else holds this browser's id is not given what this answer earned.
    const [state = ''] = statesOf(answer);
    return this.signIn.finish({ provider, purpose, prove }, { ...context, form: state });
  }
}

function statesOf(answer: AnswerFields): string[] {
  return answer.flatMap(([name, value]) => (name === 'state' ? [value] : []));
}

function partsOf(given: URLSearchParams): AnswerFields {
  return [...given].filter(([name, value]) => Object.hasOwn(PARTS, name) && value.length <= (PARTS[name] ?? 0));
}

/** A field that comes twice stays twice. */
function fieldsOf(body: unknown): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, values] of Object.entries(typeof body === 'object' && body !== null ? body : {})) {
    for (const value of [values].flat() as unknown[]) if (typeof value === 'string') fields.append(name, value);
  }
  return fields;
}
