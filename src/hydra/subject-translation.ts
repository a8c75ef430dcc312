/**
 * Accounts that Hydra knows by another subject than their id. Requests and tokens of Hydra name the account here, so that the
 * rest of the product knows ids only; what is sent to Hydra is the subject (`BrowserSessions.begin`, `RevocationJobs`).
 */
import {
  HydraPort,
  type AccessToken,
  type Authentication,
  type ConsentRequest,
  type Grant,
  type LoginRequest,
  type LogoutRequest,
  type Rejection,
} from './hydra.port.js';

/** @returns the id of the account with this subject; null if there is none, or if the subject is an id */
export type AccountOfSubject = (subject: string) => Promise<string | null>;

export class SubjectTranslation extends HydraPort {
  constructor(
    private readonly hydra: HydraPort,
    private readonly accountOf: AccountOfSubject,
  ) {
    super();
  }

  async getLogin(challenge: string): Promise<LoginRequest> {
    const request = await this.hydra.getLogin(challenge);
    const { subject, idTokenHint } = request;
    const accountId = await this.#accountId(subject);
    return {
      ...request,
      subject: accountId,
      ...(accountId === subject ? {} : { upstreamSubject: subject }),
      ...(idTokenHint ? { idTokenHint: { ...idTokenHint, subject: await this.#accountId(idTokenHint.subject) } } : {}),
    };
  }

  async getConsent(challenge: string): Promise<ConsentRequest> {
    return this.#named(await this.hydra.getConsent(challenge));
  }

  async getLogout(challenge: string): Promise<LogoutRequest> {
    return this.#named(await this.hydra.getLogout(challenge));
  }

  async introspect(token: string): Promise<AccessToken | null> {
    const access = await this.hydra.introspect(token);
    // A token of the client itself: its id may be the subject of somebody.
    return access === null || access.subject === access.clientId ? access : this.#named(access);
  }

  acceptLogin(challenge: string, authentication: Authentication): Promise<string> {
    return this.hydra.acceptLogin(challenge, authentication);
  }

  rejectLogin(challenge: string, rejection: Rejection): Promise<string> {
    return this.hydra.rejectLogin(challenge, rejection);
  }

  acceptConsent(challenge: string, grant: Grant): Promise<string> {
    return this.hydra.acceptConsent(challenge, grant);
  }

  rejectConsent(challenge: string, rejection: Rejection): Promise<string> {
    return this.hydra.rejectConsent(challenge, rejection);
  }

  acceptDevice(challenge: string, userCode: string): Promise<string> {
    return this.hydra.acceptDevice(challenge, userCode);
  }

  acceptLogout(challenge: string): Promise<string> {
    return this.hydra.acceptLogout(challenge);
  }

  rejectLogout(challenge: string): Promise<void> {
    return this.hydra.rejectLogout(challenge);
  }

  listSessionIds(subject: string): Promise<string[]> {
    return this.hydra.listSessionIds(subject);
  }

  endLoginSessions(subject: string): Promise<void> {
    return this.hydra.endLoginSessions(subject);
  }

  endLoginSession(sessionId: string): Promise<void> {
    return this.hydra.endLoginSession(sessionId);
  }

  listConsents(subject: string): ReturnType<HydraPort['listConsents']> {
    return this.hydra.listConsents(subject);
  }

  revokeConsents(subject: string, clientId?: string): Promise<void> {
    return this.hydra.revokeConsents(subject, clientId);
  }

  getClient(id: string): ReturnType<HydraPort['getClient']> {
    return this.hydra.getClient(id);
  }

  getClientScopes(id: string): Promise<string[] | null> {
    return this.hydra.getClientScopes(id);
  }

  isReady(): Promise<boolean> {
    return this.hydra.isReady();
  }

  async #named<Named extends { subject: string }>(named: Named): Promise<Named> {
    return { ...named, subject: await this.#accountId(named.subject) };
  }

  async #accountId(subject: string): Promise<string> {
    return (await this.accountOf(subject)) ?? subject;
  }
}
