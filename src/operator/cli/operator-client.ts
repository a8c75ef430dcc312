/** HTTP client of the operator API: one method per call; each failure becomes a sentence with its exit code. */
import { codeOf } from '../../config/system-error.js';
import { LINES_TYPE, OPERATOR_API } from '../wire.js';
import type {
  AccountAnswer,
  AccountDetailAnswer,
  AccountListAnswer,
  AuditAnswer,
  DisabledAnswer,
  ErrorAnswer,
  FactorResetAnswer,
  HealthAnswer,
  ImportLineAnswer,
  PasswordResetAnswer,
  SessionListAnswer,
  ProvidersAnswer,
  SessionsAnswer,
  UnfrozenAnswer,
  UnlockedAnswer,
} from '../wire.js';
import { CliFailure, EXIT } from './cli-failure.js';
import type { ExitCode } from './cli-failure.js';
import type { Connection } from './connection.js';
import { fileLines } from './file-lines.js';

const PATIENCE_MS = 30_000;
/** A batch may contain passwords that are hashed one after another. */
const IMPORT_TIMEOUT_MS = 120_000;

/** 401 and 403 concern the token and mean the same for every call. */
const EXIT_BY_STATUS: Readonly<Record<number, ExitCode>> = { 404: EXIT.notFound, 409: EXIT.conflict };

type Query = Readonly<Record<string, string | undefined>>;
type Members = Readonly<Record<string, unknown>>;
type Sending = Omit<RequestInit, 'headers'> & { headers?: Readonly<Record<string, string>> };

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

  unlock(id: string): Promise<UnlockedAnswer> {
    return this.#call('POST', `/accounts/${encodeURIComponent(id)}/unlock`);
  }

  unfreeze(id: string): Promise<UnfrozenAnswer> {
    return this.#call('POST', `/accounts/${encodeURIComponent(id)}/unfreeze`);
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

  providers(id: string): Promise<ProvidersAnswer> {
    return this.#call('GET', `/accounts/${encodeURIComponent(id)}/providers`);
  }

  disconnect(id: string, provider: string): Promise<ProvidersAnswer> {
    return this.#call('DELETE', `/accounts/${encodeURIComponent(id)}/providers/${encodeURIComponent(provider)}`);
  }

  audit(id: string, query: Query): Promise<AuditAnswer> {
    return this.#call('GET', `/accounts/${encodeURIComponent(id)}/audit${queryString(query)}`);
  }

  auditLog(query: Query): Promise<AuditAnswer> {
    return this.#call('GET', `/audit${queryString(query)}`);
  }

  health(): Promise<HealthAnswer> {
    return this.#call('GET', '/health');
  }

  listSessions(id: string): Promise<SessionListAnswer> {
    return this.#call('GET', `/accounts/${encodeURIComponent(id)}/sessions`);
  }

  endSession(id: string, session: string): Promise<SessionsAnswer> {
    return this.#call('DELETE', `/accounts/${encodeURIComponent(id)}/sessions/${encodeURIComponent(session)}`);
  }

  /** @param lines at most as many as the API accepts @returns an answer for each line, in the same order */
  async importLines(lines: readonly string[], isDryRun: boolean): Promise<ImportLineAnswer[]> {
    const response = await this.#open(`/imports${queryString({ dry_run: String(isDryRun) })}`, {
      method: 'POST',
      headers: { 'Content-Type': LINES_TYPE },
      body: lines.map((line) => `${line}\n`).join(''),
      signal: AbortSignal.timeout(IMPORT_TIMEOUT_MS),
    });
    const answers = (await this.#body(response)).trimEnd().split('\n').map(parsed);
    if (answers.length !== lines.length || answers.includes(null)) throw this.#notOperatorApi(response.status);
    return answers as ImportLineAnswer[];
  }

  /** Yields one object per line as it arrives. Throws CliFailure if the connection breaks. */
  async *exportLines(query: Query): AsyncGenerator<object, void, undefined> {
    const response = await this.#open(`/exports${queryString(query)}`, { method: 'GET' });
    try {
      for await (const { text } of fileLines(response.body ?? [])) {
        const line = text === null ? null : parsed(text);
        if (line === null) throw this.#notOperatorApi(response.status);
        yield line;
      }
    } catch (error) {
      if (error instanceof CliFailure || codeOf(error) === 'EPIPE') throw error;
      throw new CliFailure(EXIT.unreachable, 'broken_off', `The export was interrupted (${reasonOf(error)}): it is incomplete.`);
    }
  }

  async #call<Answer>(method: string, path: string, members?: Members): Promise<Answer> {
    const response = await this.#send(path, {
      method,
      headers: members ? { 'Content-Type': 'application/json' } : {},
      ...(members ? { body: JSON.stringify(members) } : {}),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return (await this.#answer(response)) as Answer;
  }

  /** For answers with one object per line; an error answer is a single object. */
  async #open(path: string, init: Sending): Promise<Response> {
    const response = await this.#send(path, init);
    if (response.headers.get('content-type')?.startsWith(LINES_TYPE) && response.ok) return response;
    await this.#answer(response);
    throw this.#notOperatorApi(response.status);
  }

  async #answer(response: Response): Promise<object> {
    const { status } = response;
    const answer = parsed(await this.#body(response));
    if (answer === null) throw this.#notOperatorApi(status);
    if (status >= 200 && status < 300) return answer;
    throw this.#refusal(status, answer);
  }

  async #send(path: string, init: Sending): Promise<Response> {
    const { url, token } = this.connection;
    return this.#reached(() =>
      fetch(`${url}${OPERATOR_API}${path}`, {
        ...init,
        headers: { ...init.headers, Authorization: `Bearer ${token}` },
        // The token is sent to the given address only, never to a redirect target.
        redirect: 'manual',
      }),
    );
  }

  #body(response: Response): Promise<string> {
    return this.#reached(() => response.text());
  }

  async #reached<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const message = `No operator API answers at ${this.connection.url} (${reasonOf(error)}). Is Foyer running? Use --url or OPERATOR_URL for another address.`;
      throw new CliFailure(EXIT.unreachable, 'unreachable', message);
    }
  }

  #notOperatorApi(status: number): CliFailure {
    const message = `The server at ${this.connection.url} is not an operator API (${status}).`;
    return new CliFailure(EXIT.unreachable, 'unreachable', message);
  }

  #refusal(status: number, answer: unknown): CliFailure {
    const { error, message } = answer as Partial<Record<keyof ErrorAnswer, unknown>>;
    const code = typeof error === 'string' ? error : 'failure';
    if (status === 401) {
      const advice = `Its token is in OPERATOR_TOKEN of the running Foyer; pass it with OPERATOR_TOKEN or --token-file.`;
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

/** fetch nests the system's error code one or two levels deep. */
function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'no reason given';
  const { name, message, cause, errors } = error as Partial<AggregateError>;
  if (name === 'TimeoutError') return 'no answer in time';
  const code = codeOf(error);
  if (code !== undefined) return code;
  const inner: unknown = cause ?? errors?.[0];
  return inner === undefined ? (message ?? 'no reason given') : reasonOf(inner);
}
