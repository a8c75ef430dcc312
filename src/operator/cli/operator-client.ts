/** The calls of the commands: one method per call; each failure becomes a sentence with its exit code. */
import { defined } from '../../config/defined.js';
import { toCode } from '../../config/system-error.js';
import type { operations } from '../client/operator-api.js';
import { linesBody, operatorCalls, type OperatorCalls } from '../client/operator-calls.js';
import { LINES_TYPE, type ErrorAnswer, type ImportLineAnswer } from '../wire.js';
import { CliFailure, EXIT, type ExitCode } from './cli-failure.js';
import type { Connection } from './connection.js';
import { fileLines } from './file-lines.js';
import { pinnedFetch } from './pinned-fetch.js';

const PATIENCE_MS = 30_000;
/** A batch may contain passwords that are hashed one after another. */
const IMPORT_TIMEOUT_MS = 120_000;
const ACCOUNT = '/operator/v1/accounts/{id}';

/** 401 and 403 concern the token and mean the same for every call. */
const EXIT_BY_STATUS: Readonly<Record<number, ExitCode>> = { 404: EXIT.notFound, 409: EXIT.conflict };

/** Options of a command line, as far as they are given. */
type Given<Members> = { readonly [Name in keyof Members]?: Members[Name] | undefined };
type QueryOf<Name extends keyof operations> = Given<Exclude<operations[Name]['parameters']['query'], undefined>>;
type BodyOf<Name extends 'accounts.create' | 'accounts.change' | 'source.link'> =
  operations[Name]['requestBody']['content']['application/json'];

interface Result<Answer> {
  data?: Answer;
  error?: unknown;
  response: Response;
}

export class OperatorClient {
  readonly #calls: OperatorCalls;

  constructor(private readonly connection: Connection) {
    const { certificate, ...access } = connection;
    this.#calls = operatorCalls(certificate === undefined ? access : { ...access, fetch: pinnedFetch(certificate) });
  }

  createAccount(account: Given<BodyOf<'accounts.create'>> & { username: string }) {
    return this.#answer(this.#calls.POST('/operator/v1/accounts', { ...inTime(), body: defined(account) }));
  }

  listAccounts(query: QueryOf<'accounts.list'>) {
    return this.#answer(this.#calls.GET('/operator/v1/accounts', { ...inTime(), params: { query: defined(query) } }));
  }

  getAccount(id: string) {
    return this.#answer(this.#calls.GET(ACCOUNT, of(id)));
  }

  getClaims(id: string, client: string) {
    const { params, ...time } = of(id);
    return this.#answer(this.#calls.GET(`${ACCOUNT}/claims`, { ...time, params: { ...params, query: { client } } }));
  }

  updateAccount(id: string, patch: BodyOf<'accounts.change'>) {
    return this.#answer(this.#calls.PATCH(ACCOUNT, { ...of(id), body: patch }));
  }

  deleteAccount(id: string) {
    return this.#answer(this.#calls.DELETE(ACCOUNT, of(id)));
  }

  scheduleDeletion(id: string, days: number) {
    return this.#answer(this.#calls.POST(`${ACCOUNT}/deletion`, { ...of(id), body: { days } }));
  }

  keepAccount(id: string) {
    return this.#answer(this.#calls.DELETE(`${ACCOUNT}/deletion`, of(id)));
  }

  disable(id: string) {
    return this.#answer(this.#calls.POST(`${ACCOUNT}/disable`, of(id)));
  }

  enable(id: string) {
    return this.#answer(this.#calls.POST(`${ACCOUNT}/enable`, of(id)));
  }

  unlock(id: string) {
    return this.#answer(this.#calls.POST(`${ACCOUNT}/unlock`, of(id)));
  }

  refresh(id: string) {
    return this.#answer(this.#calls.POST(`${ACCOUNT}/refresh`, of(id)));
  }

  link(id: string, body: Given<BodyOf<'source.link'>> & { source: string }) {
    return this.#answer(this.#calls.POST(`${ACCOUNT}/source`, { ...of(id), body: defined(body) }));
  }

  unlink(id: string) {
    return this.#answer(this.#calls.DELETE(`${ACCOUNT}/source`, of(id)));
  }

  unfreeze(id: string) {
    return this.#answer(this.#calls.POST(`${ACCOUNT}/unfreeze`, of(id)));
  }

  resetPassword(id: string) {
    return this.#answer(this.#calls.POST(`${ACCOUNT}/password-reset`, of(id)));
  }

  mailPasswordReset(id: string) {
    return this.#answer(this.#calls.POST(`${ACCOUNT}/password-reset-mail`, of(id)));
  }

  invite(id: string) {
    return this.#answer(this.#calls.POST(`${ACCOUNT}/invitation`, of(id)));
  }

  resetFactors(id: string) {
    return this.#answer(this.#calls.POST(`${ACCOUNT}/factor-reset`, of(id)));
  }

  listSessions(id: string) {
    return this.#answer(this.#calls.GET(`${ACCOUNT}/sessions`, of(id)));
  }

  endSessions(id: string) {
    return this.#answer(this.#calls.DELETE(`${ACCOUNT}/sessions`, of(id)));
  }

  endSession(id: string, session: string) {
    const params = { path: { id, session } };
    return this.#answer(this.#calls.DELETE(`${ACCOUNT}/sessions/{session}`, { ...inTime(), params }));
  }

  listTrustedBrowsers(id: string) {
    return this.#answer(this.#calls.GET(`${ACCOUNT}/trusted-browsers`, of(id)));
  }

  endTrustedBrowsers(id: string) {
    return this.#answer(this.#calls.DELETE(`${ACCOUNT}/trusted-browsers`, of(id)));
  }

  endTrustedBrowser(id: string, browser: string) {
    const params = { path: { id, browser } };
    return this.#answer(this.#calls.DELETE(`${ACCOUNT}/trusted-browsers/{browser}`, { ...inTime(), params }));
  }

  providers(id: string) {
    return this.#answer(this.#calls.GET(`${ACCOUNT}/providers`, of(id)));
  }

  disconnect(id: string, provider: string) {
    const params = { path: { id, provider } };
    return this.#answer(this.#calls.DELETE(`${ACCOUNT}/providers/{provider}`, { ...inTime(), params }));
  }

  audit(id: string, query: QueryOf<'audit.ofAccount'>) {
    const params = { path: { id }, query: defined(query) };
    return this.#answer(this.#calls.GET(`${ACCOUNT}/audit`, { ...inTime(), params }));
  }

  auditLog(query: QueryOf<'audit.ofAll'>) {
    return this.#answer(this.#calls.GET('/operator/v1/audit', { ...inTime(), params: { query: defined(query) } }));
  }

  health() {
    return this.#answer(this.#calls.GET('/operator/v1/health', inTime()));
  }

  /** @param lines at most as many as the API accepts @returns an answer for each line, in the same order */
  async importLines(lines: readonly string[], isDryRun: boolean): Promise<ImportLineAnswer[]> {
    const { data, response } = await this.#lines(
      this.#calls.POST('/operator/v1/imports', {
        ...linesBody(lines),
        params: { query: { dry_run: String(isDryRun) } },
        parseAs: 'text',
        ...inTime(IMPORT_TIMEOUT_MS),
      }),
    );
    const answers = data.trimEnd().split('\n').map(parsed);
    if (answers.length !== lines.length || answers.includes(null)) throw this.#notOperatorApi(response.status);
    return answers as ImportLineAnswer[];
  }

  /** Yields one object per line as it arrives. Throws CliFailure if the connection breaks. */
  async *exportLines(query: QueryOf<'transfer.export'>): AsyncGenerator<object, void, undefined> {
    const asked = this.#calls.GET('/operator/v1/exports', { params: { query: defined(query) }, parseAs: 'stream' });
    const { data, response } = await this.#lines(asked);
    try {
      for await (const { text } of fileLines(data ?? [])) {
        const line = text === null ? null : parsed(text);
        if (line === null) throw this.#notOperatorApi(response.status);
        yield line;
      }
    } catch (error) {
      if (error instanceof CliFailure || toCode(error) === 'EPIPE') throw error;
      throw new CliFailure(EXIT.unreachable, 'broken_off', `The export was interrupted (${toReason(error)}): it is incomplete.`);
    }
  }

  /** @throws CliFailure */
  async #answer<Answer>(asked: Promise<Result<Answer>>): Promise<Answer> {
    const { data, error, response } = await this.#reached(asked);
    if (response.ok && typeof data === 'object' && data !== null) return data;
    throw this.#refusal(response.status, error);
  }

  /** An answer with one object per line; an error answer is a single object. @throws CliFailure */
  async #lines<Data>(asked: Promise<Result<Data>>): Promise<{ data: Data; response: Response }> {
    const { data, error, response } = await this.#reached(asked);
    const isLines = response.headers.get('content-type')?.startsWith(LINES_TYPE) ?? false;
    if (response.ok && isLines && data !== undefined) return { data, response };
    throw this.#refusal(response.status, error);
  }

  async #reached<Data>(asked: Promise<Result<Data>>): Promise<Result<Data>> {
    try {
      return await asked;
    } catch (error) {
      // Success, with a body that is not JSON.
      if (isSyntaxError(error)) throw this.#notOperatorApi(200);
      const message = `No operator API answers at ${this.connection.url} (${toReason(error)}). Is Foyer running? Use --url or OPERATOR_URL for another address.`;
      throw new CliFailure(EXIT.unreachable, 'unreachable', message);
    }
  }

  #notOperatorApi(status: number): CliFailure {
    const message = `The server at ${this.connection.url} is not an operator API (${status}).`;
    return new CliFailure(EXIT.unreachable, 'unreachable', message);
  }

  #refusal(status: number, answer: unknown): CliFailure {
    if (typeof answer !== 'object' || answer === null) return this.#notOperatorApi(status);
    const { error, message } = answer as Partial<Record<keyof ErrorAnswer, unknown>>;
    const code = typeof error === 'string' ? error : 'failure';
    if (status === 401) {
      const advice = `Its tokens are in OPERATOR_TOKEN and OPERATOR_TOKENS of the running Foyer; pass one with OPERATOR_TOKEN or --token-file.`;
      return new CliFailure(EXIT.failure, code, `The operator API at ${this.connection.url} refused the token. ${advice}`);
    }
    const sentence = typeof message === 'string' ? message : `The operator API answered ${status}.`;
    return new CliFailure(EXIT_BY_STATUS[status] ?? EXIT.failure, code, sentence);
  }
}

/** Options of a call about one account. */
function of(id: string) {
  return { ...inTime(), params: { path: { id } } };
}

function inTime(milliseconds = PATIENCE_MS) {
  return { signal: AbortSignal.timeout(milliseconds) };
}

/** By its name, because the parser may belong to another realm. */
function isSyntaxError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && (error as Partial<Error>).name === 'SyntaxError';
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
function toReason(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'no reason given';
  const { name, message, cause, errors } = error as Partial<AggregateError>;
  if (name === 'TimeoutError') return 'no answer in time';
  const code = toCode(error);
  if (code !== undefined) return code;
  const inner: unknown = cause ?? errors?.[0];
  return inner === undefined ? (message ?? 'no reason given') : toReason(inner);
}
