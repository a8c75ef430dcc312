/**
 * Translates the subjects of accounts whose subject at Hydra is not their id. Requests and tokens from Hydra get the account's id,
 * so that the rest of the product uses only ids. Methods with the parameter `subject` expect the subject at Hydra.
 */
import {
  HydraPort,
  type AccessToken,
  type Authentication,
  type ClientRegistration,
  type ConsentRequest,
  type Grant,
  type LoginRequest,
  type LogoutRequest,
  type Rejection,
} from './hydra.port.js';

/** @returns the id of the account with this subject; without such an account, a text that is not the id of any account */
export type FindAccountId = (subject: string) => Promise<string>;

export class SubjectTranslation extends HydraPort {
  constructor(
    private readonly hydra: HydraPort,
    private readonly findAccountId: FindAccountId,
  ) {
    super();
  }

  async getLogin(challenge: string): Promise<LoginRequest> {
    const request = await this.hydra.getLogin(challenge);
    const { subject, idTokenHint } = request;
    const accountId = await this.findAccountId(subject);
    return {
      ...request,
      subject: accountId,
      ...(accountId === subject ? {} : { upstreamSubject: subject }),
      ...(idTokenHint ? { idTokenHint: { ...idTokenHint, subject: await this.findAccountId(idTokenHint.subject) } } : {}),
    };
  }

  async getConsent(challenge: string): Promise<ConsentRequest> {
    return this.#translate(await this.hydra.getConsent(challenge));
  }

  async getLogout(challenge: string): Promise<LogoutRequest> {
    return this.#translate(await this.hydra.getLogout(challenge));
  }

  async introspect(token: string): Promise<AccessToken | null> {
    const access = await this.hydra.introspect(token);
    // A token of the client itself is not translated: the client's id may also be the subject of an account.
    return access === null || access.subject === access.clientId ? access : this.#translate(access);
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

  listClientNames(): ReturnType<HydraPort['listClientNames']> {
    return this.hydra.listClientNames();
  }

  getClientScopes(id: string): Promise<string[] | null> {
    return this.hydra.getClientScopes(id);
  }

  saveClient(registration: ClientRegistration): Promise<void> {
    return this.hydra.saveClient(registration);
  }

  listClients(...parameters: Parameters<HydraPort['listClients']>): ReturnType<HydraPort['listClients']> {
    return this.hydra.listClients(...parameters);
  }

  findRegisteredClient(id: string): ReturnType<HydraPort['findRegisteredClient']> {
    return this.hydra.findRegisteredClient(id);
  }

  createClient(...parameters: Parameters<HydraPort['createClient']>): ReturnType<HydraPort['createClient']> {
    return this.hydra.createClient(...parameters);
  }

  changeClient(...parameters: Parameters<HydraPort['changeClient']>): ReturnType<HydraPort['changeClient']> {
    return this.hydra.changeClient(...parameters);
  }

  setClientSecret(id: string, secret: string): Promise<void> {
    return this.hydra.setClientSecret(id, secret);
  }

  deleteClient(id: string): Promise<void> {
    return this.hydra.deleteClient(id);
  }

  isReady(): Promise<boolean> {
    return this.hydra.isReady();
  }

  async #translate<Item extends { subject: string }>(item: Item): Promise<Item> {
    return { ...item, subject: await this.findAccountId(item.subject) };
  }
}
