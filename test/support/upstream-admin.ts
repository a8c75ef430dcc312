/**
 * Hydra's admin API with plain fetch. The named calls are steps of a test and throw unless they succeed; `send` is
 * for tests of the answer itself.
 */
import { exchange, expectStatus, toJson, type Answer } from './upstream-answer.js';
import {
  type ConsentAccept,
  type ConsentRequest,
  type ConsentSession,
  type Introspection,
  type LoginAccept,
  type LoginRequest,
  type LogoutRequest,
  type Rejection,
  type WireClient,
} from './upstream-wire.js';

export interface AdminRequest {
  query?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged, labelled as JSON. */
  rawBody?: string;
  form?: Record<string, string>;
}

export type Purpose = 'login' | 'consent' | 'logout' | 'device';

export class AdminApi {
  constructor(readonly url: string) {}

  send(method: string, path: string, { query = {}, body, rawBody, form }: AdminRequest = {}): Promise<Answer> {
    const url = new URL(`${this.url}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const json = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    if (json !== undefined) {
      return exchange(url.href, { method, body: json, headers: { 'content-type': 'application/json' } });
    }
    return exchange(url.href, { method, ...(form ? { body: new URLSearchParams(form) } : {}) });
  }

  /** @param act empty to read, or accept, or reject */
  request(purpose: Purpose, act: '' | 'accept' | 'reject', challenge: string, request: AdminRequest = {}): Promise<Answer> {
    const path = `/admin/oauth2/auth/requests/${purpose}${act === '' ? '' : `/${act}`}`;
    return this.send(act === '' ? 'GET' : 'PUT', path, { ...request, query: { [`${purpose}_challenge`]: challenge } });
  }

  getLogin = (challenge: string): Promise<LoginRequest> => this.#read('login', challenge);
  getConsent = (challenge: string): Promise<ConsentRequest> => this.#read('consent', challenge);
  getLogout = (challenge: string): Promise<LogoutRequest> => this.#read('logout', challenge);

  acceptLogin = (challenge: string, body: LoginAccept): Promise<string> => this.#decide('login', 'accept', challenge, body);
  rejectLogin = (challenge: string, body: Rejection): Promise<string> => this.#decide('login', 'reject', challenge, body);
  acceptConsent = (challenge: string, body: ConsentAccept): Promise<string> => this.#decide('consent', 'accept', challenge, body);
  rejectConsent = (challenge: string, body: Rejection): Promise<string> => this.#decide('consent', 'reject', challenge, body);
  acceptLogout = (challenge: string): Promise<string> => this.#decide('logout', 'accept', challenge);

  async introspect(token: string): Promise<Introspection> {
    return toJson(expectStatus(await this.send('POST', '/admin/oauth2/introspect', { form: { token } }), 200));
  }

  async consentSessions(subject: string): Promise<ConsentSession[]> {
    return toJson(expectStatus(await this.send('GET', '/admin/oauth2/auth/sessions/consent', { query: { subject } }), 200));
  }

  async createClient(client: Record<string, unknown>): Promise<WireClient> {
    return toJson(expectStatus(await this.send('POST', '/admin/clients', { body: client }), 201));
  }

  async deleteClient(id: string): Promise<void> {
    expectStatus(await this.send('DELETE', `/admin/clients/${encodeURIComponent(id)}`), 204);
  }

  async #read<T>(purpose: Purpose, challenge: string): Promise<T> {
    return toJson(expectStatus(await this.request(purpose, '', challenge), 200));
  }

  async #decide(purpose: Purpose, act: 'accept' | 'reject', challenge: string, body?: unknown): Promise<string> {
    const answer = await this.request(purpose, act, challenge, body === undefined ? {} : { body });
    return toJson<{ redirect_to: string }>(expectStatus(answer, 200)).redirect_to;
  }
}
