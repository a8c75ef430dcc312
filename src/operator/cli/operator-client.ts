/** Has a method for each call that commands make to the operator API. A failure becomes a `CliFailure` with a sentence and an exit code. */
import { defined } from '../../config/defined.js';
import { toCode } from '../../config/system-error.js';
import type { operations } from '../client/operator-api.js';
import { linesBody, operatorCalls, type OperatorCalls } from '../client/operator-calls.js';
import { LINES_TYPE, type ErrorAnswer, type ImportLineAnswer } from '../wire.js';
import type { ApprovalAnswer } from '../wire-approvals.js';
import { CliFailure, EXIT, type ExitCode } from './cli-failure.js';
import type { Connection } from './connection.js';
import { splitLines } from './file-lines.js';
import { buildPinnedFetch } from './pinned-fetch.js';

const TIMEOUT_MS = 30_000;
/** The timeout of a batch is longer, because passwords are hashed, and people are invited, one after the other. */
const BATCH_TIMEOUT_MS = 120_000;
/** Longer than the time limit of each check in the gateway. The checks run at the same time. */
const DOCTOR_TIMEOUT_MS = 60_000;
const ACCOUNT = '/operator/v1/accounts/{id}';
const CLIENT = '/operator/v1/clients/{client}';
const APPROVAL = '/operator/v1/approvals/{approval}';

/** The status of an operation that waits for a second operator. */
const APPROVAL_STATUS = 202;

/** A status that is not listed, such as 401 and 403 for the token, has exit code 1. */
const EXIT_BY_STATUS: Readonly<Record<number, ExitCode>> = { 404: EXIT.notFound, 409: EXIT.conflict };

/** The members, each undefined if its option of the command line is absent. */
type WithUndefined<Members> = { readonly [Name in keyof Members]?: Members[Name] | undefined };
type OperationQuery<Name extends keyof operations> = WithUndefined<Exclude<operations[Name]['parameters']['query'], undefined>>;
type BodyOperation =
  | 'accounts.create'
  | 'accounts.change'
  | 'source.link'
  | 'invitations.create'
  | 'operators.grant'
  | 'clients.create'
  | 'clients.change'
  | 'filters.save'
  | 'jobs.count'
  | 'jobs.start'
  | 'scimOffers.offer'
  | 'scimOffers.offerMany'
  | 'signUps.approve'
  | 'signUps.refuse';
type OperationBody<Name extends BodyOperation> = operations[Name]['requestBody']['content']['application/json'];

interface Result<Answer> {
  data?: Answer;
  error?: unknown;
  response: Response;
}

export class OperatorClient {
  readonly #calls: OperatorCalls;

  /** @param connection may include the reason of the calls for the audit log */
  constructor(private readonly connection: Connection & { reason?: string }) {
    const { certificate, ...access } = connection;
    this.#calls = operatorCalls(certificate === undefined ? access : { ...access, fetch: buildPinnedFetch(certificate) });
  }

  createAccount(account: WithUndefined<OperationBody<'accounts.create'>> & { username: string }) {
    return this.#answer(this.#calls.POST('/operator/v1/accounts', { ...buildTimeout(), body: defined(account) }));
  }

  listAccounts(query: OperationQuery<'accounts.list'>) {
    return this.#answer(this.#calls.GET('/operator/v1/accounts', { ...buildTimeout(), params: { query: defined(query) } }));
  }

  getAccount(id: string) {
    return this.#answer(this.#calls.GET(ACCOUNT, toAccountCall(id)));
  }

  getClaims(id: string, client: string) {
    const { params, ...timeout } = toAccountCall(id);
    return this.#answer(this.#calls.GET(`${ACCOUNT}/claims`, { ...timeout, params: { ...params, query: { client } } }));
  }

  updateAccount(id: string, patch: OperationBody<'accounts.change'>) {
    return this.#answerChange(this.#calls.PATCH(ACCOUNT, { ...toAccountCall(id), body: patch }));
  }

  deleteAccount(id: string) {
    return this.#answer(this.#calls.DELETE(ACCOUNT, toAccountCall(id)));
  }

  scheduleDeletion(id: string, days: number) {
    return this.#answer(this.#calls.POST(`${ACCOUNT}/deletion`, { ...toAccountCall(id), body: { days } }));
  }

  askSupportCheck(id: string) {
    return this.#answer(this.#calls.POST(`${ACCOUNT}/support-check`, toAccountCall(id)));
  }

  answerSupportCheck(id: string, words: string) {
    return this.#answer(this.#calls.POST(`${ACCOUNT}/support-check/answer`, { ...toAccountCall(id), body: { words } }));
  }

  keepAccount(id: string) {
    return this.#answer(this.#calls.DELETE(`${ACCOUNT}/deletion`, toAccountCall(id)));
  }

  disable(id: string) {
    return this.#answer(this.#calls.POST(`${ACCOUNT}/disable`, toAccountCall(id)));
  }

  enable(id: string) {
    return this.#answer(this.#calls.POST(`${ACCOUNT}/enable`, toAccountCall(id)));
  }

  unlock(id: string) {
    return this.#answer(this.#calls.POST(`${ACCOUNT}/unlock`, toAccountCall(id)));
  }

  requirePassword(id: string) {
    return this.#answer(this.#calls.POST(`${ACCOUNT}/require-password-change`, toAccountCall(id)));
  }

  refresh(id: string) {
    return this.#answer(this.#calls.POST(`${ACCOUNT}/refresh`, toAccountCall(id)));
  }

  link(id: string, body: WithUndefined<OperationBody<'source.link'>> & { source: string }) {
    return this.#answerChange(this.#calls.POST(`${ACCOUNT}/source`, { ...toAccountCall(id), body: defined(body) }));
  }

  unlink(id: string) {
    return this.#answer(this.#calls.DELETE(`${ACCOUNT}/source`, toAccountCall(id)));
  }

  unfreeze(id: string) {
    return this.#answer(this.#calls.POST(`${ACCOUNT}/unfreeze`, toAccountCall(id)));
  }

  resetPassword(id: string) {
    return this.#answerChange(this.#calls.POST(`${ACCOUNT}/password-reset`, toAccountCall(id)));
  }

  mailPasswordReset(id: string) {
    return this.#answer(this.#calls.POST(`${ACCOUNT}/password-reset-mail`, toAccountCall(id)));
  }

  invite(id: string) {
    return this.#answer(this.#calls.POST(`${ACCOUNT}/invitation`, toAccountCall(id)));
  }

  resetFactors(id: string) {
    return this.#answerChange(this.#calls.POST(`${ACCOUNT}/factor-reset`, toAccountCall(id)));
  }

  removeFactor(id: string, factor: string) {
    const params = { path: { id, factor } };
    return this.#answerChange(this.#calls.DELETE(`${ACCOUNT}/factors/{factor}`, { ...buildTimeout(), params }));
  }

  listSessions(id: string) {
    return this.#answer(this.#calls.GET(`${ACCOUNT}/sessions`, toAccountCall(id)));
  }

  endSessions(id: string) {
    return this.#answer(this.#calls.DELETE(`${ACCOUNT}/sessions`, toAccountCall(id)));
  }

  endSession(id: string, session: string) {
    const params = { path: { id, session } };
    return this.#answer(this.#calls.DELETE(`${ACCOUNT}/sessions/{session}`, { ...buildTimeout(), params }));
  }

  listTrustedBrowsers(id: string) {
    return this.#answer(this.#calls.GET(`${ACCOUNT}/trusted-browsers`, toAccountCall(id)));
  }

  endTrustedBrowsers(id: string) {
    return this.#answer(this.#calls.DELETE(`${ACCOUNT}/trusted-browsers`, toAccountCall(id)));
  }

  endTrustedBrowser(id: string, browser: string) {
    const params = { path: { id, browser } };
    return this.#answer(this.#calls.DELETE(`${ACCOUNT}/trusted-browsers/{browser}`, { ...buildTimeout(), params }));
  }

  listProviders(id: string) {
    return this.#answer(this.#calls.GET(`${ACCOUNT}/providers`, toAccountCall(id)));
  }

  disconnectProvider(id: string, provider: string) {
    const params = { path: { id, provider } };
    return this.#answer(this.#calls.DELETE(`${ACCOUNT}/providers/{provider}`, { ...buildTimeout(), params }));
  }

  listOperators(query: OperationQuery<'operators.list'>) {
    return this.#answer(this.#calls.GET('/operator/v1/operators', { ...buildTimeout(), params: { query: defined(query) } }));
  }

  getOperator(id: string) {
    return this.#answer(this.#calls.GET(`${ACCOUNT}/operator-rights`, toAccountCall(id)));
  }

  grantRight(id: string, body: WithUndefined<OperationBody<'operators.grant'>> & { right: string }) {
    return this.#answerChange(this.#calls.POST(`${ACCOUNT}/operator-rights`, { ...toAccountCall(id), body: defined(body) }));
  }

  revokeRight(id: string, right: string) {
    const params = { path: { id, right } };
    return this.#answer(this.#calls.DELETE(`${ACCOUNT}/operator-rights/{right}`, { ...buildTimeout(), params }));
  }

  listClients(query: OperationQuery<'clients.list'>) {
    return this.#answer(this.#calls.GET('/operator/v1/clients', { ...buildTimeout(), params: { query: defined(query) } }));
  }

  getClient(client: string) {
    return this.#answer(this.#calls.GET(CLIENT, toClientCall(client)));
  }

  createClient(body: OperationBody<'clients.create'>) {
    return this.#answer(this.#calls.POST('/operator/v1/clients', { ...buildTimeout(), body }));
  }

  changeClient(client: string, body: OperationBody<'clients.change'>) {
    return this.#answer(this.#calls.PATCH(CLIENT, { ...toClientCall(client), body }));
  }

  rotateClientSecret(client: string) {
    return this.#answer(this.#calls.POST(`${CLIENT}/secret`, toClientCall(client)));
  }

  listClientPeople(client: string, query: OperationQuery<'clients.people'>) {
    const params = { path: { client }, query: defined(query) };
    return this.#answer(this.#calls.GET(`${CLIENT}/people`, { ...buildTimeout(), params }));
  }

  previewClient(client: string, account: string) {
    const params = { path: { client }, query: { account } };
    return this.#answer(this.#calls.GET(`${CLIENT}/preview`, { ...buildTimeout(), params }));
  }

  removeApp(id: string, client: string) {
    const params = { path: { id, client } };
    return this.#answer(this.#calls.DELETE(`${ACCOUNT}/apps/{client}`, { ...buildTimeout(), params }));
  }

  deleteClient(client: string) {
    return this.#answer(this.#calls.DELETE(CLIENT, toClientCall(client)));
  }

  getToday() {
    return this.#answer(this.#calls.GET('/operator/v1/today', buildTimeout()));
  }

  listSources() {
    return this.#answer(this.#calls.GET('/operator/v1/sources', buildTimeout()));
  }

  listSettings() {
    return this.#answer(this.#calls.GET('/operator/v1/settings', buildTimeout()));
  }

  runDoctor() {
    return this.#answer(this.#calls.POST('/operator/v1/doctor', buildTimeout(DOCTOR_TIMEOUT_MS)));
  }

  offerToScim(body: OperationBody<'scimOffers.offer'>) {
    return this.#answer(this.#calls.POST('/operator/v1/scim/offers', { ...buildTimeout(), body }));
  }

  offerManyToScim(body: OperationBody<'scimOffers.offerMany'>) {
    return this.#answer(this.#calls.POST('/operator/v1/scim/offers/many', { ...buildTimeout(), body }));
  }

  listScimOffers({ source, ...page }: OperationQuery<'scimOffers.list'> & { source: string }) {
    const params = { query: { source, ...defined(page) } };
    return this.#answer(this.#calls.GET('/operator/v1/scim/offers', { ...buildTimeout(), params }));
  }

  withdrawFromScim(account: string) {
    const params = { path: { account } };
    return this.#answer(this.#calls.DELETE('/operator/v1/scim/offers/{account}', { ...buildTimeout(), params }));
  }

  listScimFaults({ source, ...page }: OperationQuery<'scimFaults.list'> & { source: string }) {
    const params = { query: { source, ...defined(page) } };
    return this.#answer(this.#calls.GET('/operator/v1/scim/faults', { ...buildTimeout(), params }));
  }

  dismissScimFault(fault: string) {
    const params = { path: { fault } };
    return this.#answer(this.#calls.DELETE('/operator/v1/scim/faults/{fault}', { ...buildTimeout(), params }));
  }

  listSignUps(query: OperationQuery<'signUps.list'>) {
    return this.#answer(this.#calls.GET('/operator/v1/sign-ups', { ...buildTimeout(), params: { query: defined(query) } }));
  }

  listTerms() {
    return this.#answer(this.#calls.GET('/operator/v1/terms', buildTimeout()));
  }

  getTermsText(sha256: string) {
    return this.#answer(
      this.#calls.GET('/operator/v1/terms/texts/{sha256}', { ...buildTimeout(), params: { path: { sha256 } } }),
    );
  }

  listAcceptances(id: string, query: OperationQuery<'accountTerms.list'>) {
    const params = { path: { id }, query: defined(query) };
    return this.#answer(this.#calls.GET(`${ACCOUNT}/terms`, { ...buildTimeout(), params }));
  }

  approveSignUp(application: string, body: OperationBody<'signUps.approve'>) {
    const params = { path: { application } };
    return this.#answer(this.#calls.POST('/operator/v1/sign-ups/{application}/approve', { ...buildTimeout(), params, body }));
  }

  refuseSignUp(application: string, body: OperationBody<'signUps.refuse'>) {
    const params = { path: { application } };
    return this.#answer(this.#calls.POST('/operator/v1/sign-ups/{application}/refuse', { ...buildTimeout(), params, body }));
  }

  listSinks() {
    return this.#answer(this.#calls.GET('/operator/v1/sinks', buildTimeout()));
  }

  listDeliveries(sink: string, query: OperationQuery<'sinks.deliveries'>) {
    const params = { path: { sink }, query: defined(query) };
    return this.#answer(this.#calls.GET('/operator/v1/sinks/{sink}/deliveries', { ...buildTimeout(), params }));
  }

  pauseSink(sink: string) {
    const params = { path: { sink } };
    return this.#answer(this.#calls.POST('/operator/v1/sinks/{sink}/pause', { ...buildTimeout(), params }));
  }

  resumeSink(sink: string) {
    const params = { path: { sink } };
    return this.#answer(this.#calls.POST('/operator/v1/sinks/{sink}/resume', { ...buildTimeout(), params }));
  }

  replaySink(sink: string, body: { since: string; cursor?: string }) {
    const params = { path: { sink } };
    return this.#answer(this.#calls.POST('/operator/v1/sinks/{sink}/replay', { ...buildTimeout(), params, body }));
  }

  replayEvent(sink: string, event: string) {
    const params = { path: { sink } };
    const body = { event };
    return this.#answer(this.#calls.POST('/operator/v1/sinks/{sink}/deliveries/replay', { ...buildTimeout(), params, body }));
  }

  invitePerson({ email, ...members }: WithUndefined<OperationBody<'invitations.create'>> & { email: string }) {
    return this.#answer(
      this.#calls.POST('/operator/v1/invitations', { ...buildTimeout(), body: { email, ...defined(members) } }),
    );
  }

  inviteMany(invitations: Record<string, unknown>[]) {
    const options = buildTimeout(BATCH_TIMEOUT_MS);
    return this.#answer(this.#calls.POST('/operator/v1/invitations/many', { ...options, body: { invitations } }));
  }

  listInvitations(query: OperationQuery<'invitations.list'>) {
    const params = { query: defined(query) };
    return this.#answer(this.#calls.GET('/operator/v1/invitations', { ...buildTimeout(), params }));
  }

  resendInvitation(invitation: string) {
    const params = { path: { invitation } };
    return this.#answer(this.#calls.POST('/operator/v1/invitations/{invitation}/resend', { ...buildTimeout(), params }));
  }

  withdrawInvitation(invitation: string) {
    const params = { path: { invitation } };
    return this.#answer(this.#calls.POST('/operator/v1/invitations/{invitation}/withdraw', { ...buildTimeout(), params }));
  }

  listMails(query: OperationQuery<'mails.list'>) {
    return this.#answer(this.#calls.GET('/operator/v1/mails', { ...buildTimeout(), params: { query: defined(query) } }));
  }

  listMailCauses() {
    return this.#answer(this.#calls.GET('/operator/v1/mails/causes', buildTimeout()));
  }

  retryMail(mail: string) {
    const params = { path: { mail } };
    return this.#answer(this.#calls.POST('/operator/v1/mails/{mail}/retry', { ...buildTimeout(), params }));
  }

  retryMails(cause: string) {
    return this.#answer(this.#calls.POST('/operator/v1/mails/retry', { ...buildTimeout(), body: { cause } }));
  }

  countJobAccounts(body: OperationBody<'jobs.count'>) {
    return this.#answer(this.#calls.POST('/operator/v1/jobs/count', { ...buildTimeout(), body }));
  }

  startJob(body: OperationBody<'jobs.start'>) {
    return this.#answer(this.#calls.POST('/operator/v1/jobs', { ...buildTimeout(), body }));
  }

  listJobs(query: OperationQuery<'jobs.list'>) {
    return this.#answer(this.#calls.GET('/operator/v1/jobs', { ...buildTimeout(), params: { query: defined(query) } }));
  }

  getJob(job: string) {
    return this.#answer(this.#calls.GET('/operator/v1/jobs/{job}', { ...buildTimeout(), params: { path: { job } } }));
  }

  listJobFailures(job: string, query: OperationQuery<'jobs.failures'>) {
    const params = { path: { job }, query: defined(query) };
    return this.#answer(this.#calls.GET('/operator/v1/jobs/{job}/failures', { ...buildTimeout(), params }));
  }

  stopJob(job: string) {
    return this.#answer(this.#calls.POST('/operator/v1/jobs/{job}/stop', { ...buildTimeout(), params: { path: { job } } }));
  }

  listFilters() {
    return this.#answer(this.#calls.GET('/operator/v1/filters', buildTimeout()));
  }

  saveFilter(body: OperationBody<'filters.save'>) {
    return this.#answer(this.#calls.POST('/operator/v1/filters', { ...buildTimeout(), body }));
  }

  removeFilter(filter: string) {
    return this.#answer(this.#calls.DELETE('/operator/v1/filters/{filter}', { ...buildTimeout(), params: { path: { filter } } }));
  }

  listApprovals(query: OperationQuery<'approvals.list'>) {
    return this.#answer(this.#calls.GET('/operator/v1/approvals', { ...buildTimeout(), params: { query: defined(query) } }));
  }

  getApproval(approval: string) {
    return this.#answer(this.#calls.GET(APPROVAL, toApprovalCall(approval)));
  }

  approve(approval: string) {
    return this.#answer(this.#calls.POST(`${APPROVAL}/approve`, toApprovalCall(approval)));
  }

  reject(approval: string) {
    return this.#answer(this.#calls.POST(`${APPROVAL}/reject`, toApprovalCall(approval)));
  }

  withdraw(approval: string) {
    return this.#answer(this.#calls.DELETE(APPROVAL, toApprovalCall(approval)));
  }

  listAccountEvents(id: string, query: OperationQuery<'audit.ofAccount'>) {
    const params = { path: { id }, query: defined(query) };
    return this.#answer(this.#calls.GET(`${ACCOUNT}/audit`, { ...buildTimeout(), params }));
  }

  listEvents(query: OperationQuery<'audit.ofAll'>) {
    return this.#answer(this.#calls.GET('/operator/v1/audit', { ...buildTimeout(), params: { query: defined(query) } }));
  }

  getHealth() {
    return this.#answer(this.#calls.GET('/operator/v1/health', buildTimeout()));
  }

  /** @param lines at most as many as the API accepts in a batch @returns an answer for each line, in the same order */
  async importLines(lines: readonly string[], isDryRun: boolean): Promise<ImportLineAnswer[]> {
    const { data, response } = await this.#answerLines(
      this.#calls.POST('/operator/v1/imports', {
        ...linesBody(lines),
        params: { query: { dry_run: String(isDryRun) } },
        parseAs: 'text',
        ...buildTimeout(BATCH_TIMEOUT_MS),
      }),
    );
    const answers = data.trimEnd().split('\n').map(parseJson);
    if (answers.length !== lines.length || answers.includes(null)) throw this.#buildForeignServerFailure(response.status);
    return answers as ImportLineAnswer[];
  }

  /** Yields an object for each line as it arrives. @throws CliFailure if the API refuses the export, or the connection breaks */
  async *exportLines(query: OperationQuery<'transfer.export'>): AsyncGenerator<object, void, undefined> {
    const request = this.#calls.GET('/operator/v1/exports', { params: { query: defined(query) }, parseAs: 'stream' });
    const { data, response } = await this.#answerLines(request);
    try {
      for await (const { text } of splitLines(data ?? [])) {
        const line = text === null ? null : parseJson(text);
        if (line === null) throw this.#buildForeignServerFailure(response.status);
        yield line;
      }
    } catch (error) {
      if (error instanceof CliFailure || toCode(error) === 'EPIPE') throw error;
      throw new CliFailure(
        EXIT.unreachable,
        'broken_off',
        `The export is incomplete, because the connection broke (${toReason(error)}).`,
      );
    }
  }

  /** @throws CliFailure */
  async #answer<Answer>(request: Promise<Result<Answer>>): Promise<Answer> {
    const { data, error, response } = await this.#send(request);
    if (response.ok && typeof data === 'object' && data !== null) return data;
    throw this.#toFailure(response.status, error);
  }

  /** For an operation that may have to wait for a second operator. @throws CliFailure, also if the operation waits */
  async #answerChange<Answer>(request: Promise<Result<Answer>>): Promise<Exclude<Answer, ApprovalAnswer>> {
    let status = 0;
    const answer = await this.#answer(request.then((result) => ((status = result.response.status), result)));
    if (status === APPROVAL_STATUS) throw buildApprovalFailure(answer as ApprovalAnswer);
    return answer as Exclude<Answer, ApprovalAnswer>;
  }

  /** Expects an answer with one object on each line, unless it is an error. @throws CliFailure */
  async #answerLines<Data>(request: Promise<Result<Data>>): Promise<{ data: Data; response: Response }> {
    const { data, error, response } = await this.#send(request);
    const isLines = response.headers.get('content-type')?.startsWith(LINES_TYPE) ?? false;
    if (response.ok && isLines && data !== undefined) return { data, response };
    if (response.status === APPROVAL_STATUS) throw buildApprovalFailure();
    throw this.#toFailure(response.status, error);
  }

  async #send<Data>(request: Promise<Result<Data>>): Promise<Result<Data>> {
    try {
      return await request;
    } catch (error) {
      // The status was a success, but the body is not JSON.
      if (isSyntaxError(error)) throw this.#buildForeignServerFailure(200);
      const message = `No operator API answers at ${this.connection.url} (${toReason(error)}). Is Foyer running? Use --url or OPERATOR_URL for another address.`;
      throw new CliFailure(EXIT.unreachable, 'unreachable', message);
    }
  }

  #buildForeignServerFailure(status: number): CliFailure {
    const message = `The server at ${this.connection.url} is not an operator API (${status}). Use --url or OPERATOR_URL for another address.`;
    return new CliFailure(EXIT.unreachable, 'unreachable', message);
  }

  #toFailure(status: number, answer: unknown): CliFailure {
    if (typeof answer !== 'object' || answer === null) return this.#buildForeignServerFailure(status);
    const { error, message } = answer as Partial<Record<keyof ErrorAnswer, unknown>>;
    const code = typeof error === 'string' ? error : 'failure';
    if (status === 401) {
      const advice =
        'Set OPERATOR_TOKEN, or pass --token-file, with a token of OPERATOR_TOKEN or OPERATOR_TOKENS of the running Foyer.';
      return new CliFailure(EXIT.failure, code, `The operator API at ${this.connection.url} refused the token. ${advice}`);
    }
    const sentence = typeof message === 'string' ? message : `The operator API answered ${status}.`;
    return new CliFailure(EXIT_BY_STATUS[status] ?? EXIT.failure, code, sentence);
  }
}

/** The greatest `limit` of the lists of the operator API. */
export const LARGEST_PAGE = '200';

/** Reads all pages of a list, one after the other. @param readPage reads the page at a cursor; without one, the first page */
export async function* readPages<Page extends { next_cursor?: string }>(
  readPage: (cursor: string | undefined) => Promise<Page>,
): AsyncGenerator<Page> {
  let cursor: string | undefined;
  do {
    const page = await readPage(cursor);
    yield page;
    cursor = page.next_cursor;
  } while (cursor !== undefined);
}

/** @param approval absent if the answer was not read */
function buildApprovalFailure(approval?: ApprovalAnswer): CliFailure {
  const deadline = approval ? ` by ${approval.expires_at} (${approval.id})` : '';
  const time = approval?.not_before;
  const delay = typeof time === 'string' ? `nobody has checked who is calling, so the operation waits until ${time}, and ` : '';
  const check =
    delay === ''
      ? ''
      : ' To avoid the delay, check who is calling (foyer account support-check ask), then run this command again.';
  const message = `Nothing was done yet: ${delay}${formatApprovers(approval)} must approve the operation${deadline}. foyer approval list shows the waiting operations.${check}`;
  return new CliFailure(EXIT.approvalRequired, 'approval_required', message);
}

/** The request of a token may require two operators. */
function formatApprovers(approval?: ApprovalAnswer): string {
  if (!approval) return 'other operators';
  return approval.missing === 2 ? 'two operators' : 'another operator';
}

function toApprovalCall(approval: string) {
  return { ...buildTimeout(), params: { path: { approval } } };
}

function toAccountCall(id: string) {
  return { ...buildTimeout(), params: { path: { id } } };
}

function toClientCall(client: string) {
  return { ...buildTimeout(), params: { path: { client } } };
}

function buildTimeout(milliseconds = TIMEOUT_MS) {
  return { signal: AbortSignal.timeout(milliseconds) };
}

/** Compares the name of the error, because the parser may belong to another realm, whose SyntaxError is another class. */
function isSyntaxError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && (error as Partial<Error>).name === 'SyntaxError';
}

function parseJson(body: string): object | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** `fetch` nests the error code of the system one or two levels deep. */
function toReason(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown reason';
  const { name, message, cause, errors } = error as Partial<AggregateError>;
  if (name === 'TimeoutError') return 'no answer in time';
  const code = toCode(error);
  if (code !== undefined) return code;
  const inner: unknown = cause ?? errors?.[0];
  return inner === undefined ? (message ?? 'unknown reason') : toReason(inner);
}
