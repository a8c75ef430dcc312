/** The operator API over fetch: one method a call, and every failure as a sentence with its exit code. */
import { codeOf } from '../../config/system-error.js';
import { OPERATOR_API } from '../wire.js';
import type {
  AccountAnswer,
  AccountDetailAnswer,
  AccountListAnswer,
  AuditAnswer,
  DisabledAnswer,
  ErrorAnswer,
  FactorResetAnswer,
  HealthAnswer,
  PasswordResetAnswer,
  SessionsAnswer,
} from '../wire.js';
import { CliFailure, EXIT } from './cli-failure.js';
import type { ExitCode } from './cli-failure.js';
import type { Connection } from './connection.js';

const PATIENCE_MS = 30_000;

/** 401 and 403 are about the token, and the same for every call. */
const EXIT_BY_STATUS: Readonly<Record<number, ExitCode>> = { 404: EXIT.notFound, 409: EXIT.conflict };

type Query = Readonly<Record<string, string | undefined>>;
type Members = Readonly<Record<string, unknown>>;

export class OperatorClient {
  constructor(private readonly connection: Connection) {}

  createAccount(account: Members): Promise<AccountAnswer> {
    return this.#call('POST', '/accounts', account);
  }

  listAccounts(query: Query): Promise<AccountListAnswer> {
    return this.#call('GET', `/accounts${queryString(query)}`);
  }

  getAccount(id: string): Promise<AccountDetailAnswer> {
    return this.#call('GET', `/accounts/${encodeURIComponent(id)}`);
  }

  updateAccount(id: string, patch: Members): Promise<AccountAnswer> {
    return this.#call('PATCH', `/accounts/${encodeURIComponent(id)}`, patch);
  }

  disable(id: string): Promise<DisabledAnswer> {
    return this.#call('POST', `/accounts/${encodeURIComponent(id)}/disable`);
  }

  enable(id: string): Promise<AccountAnswer> {
    return this.#call('POST', `/accounts/${encodeURIComponent(id)}/enable`);
  }

  unlock(id: string): Promise<AccountAnswer> {
    return this.#call('POST', `/accounts/${encodeURIComponent(id)}/unlock`);
  }

  resetPassword(id: string): Promise<PasswordResetAnswer> {
    return this.#call('POST', `/accounts/${encodeURIComponent(id)}/password-reset`);
  }

  resetFactors(id: string): Promise<FactorResetAnswer> {
    return this.#call('POST', `/accounts/${encodeURIComponent(id)}/factor-reset`);
  }

  endSessions(id: string): Promise<SessionsAnswer> {
    return this.#call('DELETE', `/accounts/${encodeURIComponent(id)}/sessions`);
  }

  audit(id: string, query: Query): Promise<AuditAnswer> {
    return this.#call('GET', `/accounts/${encodeURIComponent(id)}/audit${queryString(query)}`);
  }

  health(): Promise<HealthAnswer> {
    return this.#call('GET', '/health');
  }

  async #call<Answer>(method: string, path: string, members?: Members): Promise<Answer> {
    const { url, token } = this.connection;
    const { status, answer } = await this.#send(`${url}${OPERATOR_API}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(members ? { 'Content-Type': 'application/json' } : {}) },
      ...(members ? { body: JSON.stringify(members) } : {}),
      // The token goes to the address that was named, and nowhere that it sends us.
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (status >= 200 && status < 300) return answer as Answer;
    throw this.#refusal(status, answer);
  }

  async #send(address: string, init: RequestInit): Promise<{ status: number; answer: unknown }> {
    const { url } = this.connection;
    let status: number;
    let body: string;
    try {
      const response = await fetch(address, init);
      status = response.status;
      body = await response.text();
    } catch (error) {
      const message = `No operator API answers at ${url} (${reasonOf(error)}). Is Foyer running? --url or OPERATOR_URL names another address.`;
      throw new CliFailure(EXIT.unreachable, 'unreachable', message);
    }
    const answer = parsed(body);
    if (answer === null) {
      throw new CliFailure(EXIT.unreachable, 'unreachable', `Something else than an operator API answers at ${url} (${status}).`);
    }
    return { status, answer };
  }

  #refusal(status: number, answer: unknown): CliFailure {
    const { error, message } = answer as Partial<Record<keyof ErrorAnswer, unknown>>;
    const code = typeof error === 'string' ? error : 'failure';
    if (status === 401) {
      const advice = `Its token is in OPERATOR_TOKEN of the running Foyer; give it here by OPERATOR_TOKEN or --token-file.`;
      return new CliFailure(EXIT.failure, code, `The operator API at ${this.connection.url} refused the token. ${advice}`);
    }
    const sentence = typeof message === 'string' ? message : `The operator API answered ${status}.`;
    return new CliFailure(EXIT_BY_STATUS[status] ?? EXIT.failure, code, sentence);
  }
}

function queryString(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, value);
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

function parsed(body: string): object | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** fetch hides the system's own code one or two levels down. */
function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'no reason given';
  const { name, message, cause, errors } = error as Partial<AggregateError>;
  if (name === 'TimeoutError') return `no answer within ${PATIENCE_MS / 1000} s`;
  const code = codeOf(error);
  if (code !== undefined) return code;
  const inner: unknown = cause ?? errors?.[0];
  return inner === undefined ? (message ?? 'no reason given') : reasonOf(inner);
}
