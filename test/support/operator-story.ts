/** Steps that the stories of the operator API share. */
import { Readable } from 'node:stream';
import { expect } from '@jest/globals';
import type { OperatorRights } from '../../src/config/config.js';
import { run } from '../../src/operator/cli/run.js';
import type { Terminal } from '../../src/operator/cli/terminal.js';
import type { OperatorAnswer, TestOperator } from './operator.js';

/** @param operator read at each step, because a story starts it in `beforeAll` */
export function operatorSteps(operator: () => TestOperator) {
  let count = 0;

  /** @returns the answer to the creation of a new account */
  async function createAccount(more: object = {}): Promise<{ id: string; username: string }> {
    const answer = await operator().call('POST', '/accounts', { username: `person-${(count += 1)}`, ...more });
    expect(answer.status).toBe(201);
    return answer.json as { id: string; username: string };
  }

  async function findKinds(id: string): Promise<unknown[]> {
    const { json } = await operator().call('GET', `/accounts/${id}/audit`);
    return (json['entries'] as { kind: string; detail: unknown }[]).map(({ kind, detail }) => (detail ? [kind, detail] : kind));
  }

  function beginSession(accountId: string, upstreamSessionId: string, replica: TestOperator = operator()) {
    const session = {
      browser: 'browser',
      accountId,
      upstreamSessionId,
      acr: 'urn:foyer:acr:pwd',
      amr: ['pwd'],
      lifetimeSeconds: 600,
    };
    return replica.services.sessions.begin(session);
  }

  return { createAccount, findKinds, beginSession };
}

export const toEnvironment = ({ url, token }: TestOperator) => ({ OPERATOR_URL: url, OPERATOR_TOKEN: token });

/** Runs a command line as in a terminal; a string is split at spaces. */
export async function runLine(line: string | readonly string[], own: Pick<Terminal, 'env'> & Partial<Terminal>) {
  let out = '';
  let err = '';
  const terminal: Terminal = {
    out: (text) => (out += text),
    err: (text) => (err += text),
    write: async (text) => void (out += text),
    input: () => Readable.from([]),
    readSecret: () => Promise.resolve(''),
    colours: false,
    ...own,
  };
  const code = await run(typeof line === 'string' ? line.split(' ') : line, terminal);
  return { code, out, err };
}

/** @param operator read at each line, because a story starts it in `beforeAll` */
export function commandLine(operator: () => TestOperator) {
  return (line: string | readonly string[], more: Partial<Terminal> = {}) =>
    runLine(line, { env: toEnvironment(operator()), ...more });
}

export function expectError(answer: OperatorAnswer, status: number, error: string, field?: string): void {
  expect(answer.json).toMatchObject({ error, ...(field === undefined ? {} : { field }) });
  expect(answer.status).toBe(status);
  expect(answer.json['message']).toMatch(/^[\s\S]+\.$/);
  expect(answer.headers['cache-control']).toBe('no-store');
}

/** @returns the parsed lines of an answer or a file */
export function parseLines<Line = Record<string, unknown>>(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

/** Joins objects, and lines that are already text, into the body of an import. */
export function toBatch(lines: readonly unknown[]): string {
  return lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
}

/** @param operator read at each batch, because a story starts it in `beforeAll` */
export function importer(operator: () => TestOperator) {
  const send = (body: string, query = '', headers: Record<string, string> = {}) =>
    operator().call('POST', `/imports${query}`, body, { 'content-type': 'application/x-ndjson', ...headers });

  async function importLines(lines: readonly unknown[], query = ''): Promise<Record<string, unknown>[]> {
    const answer = await send(toBatch(lines), query);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    return parseLines(answer.text);
  }

  return { send, importLines };
}

/** Makes an account an operator who is signed in to the console. @returns the secret of the session */
export async function beginConsoleSession(
  operator: TestOperator,
  accountId: string,
  right: OperatorRights = 'read',
): Promise<string> {
  const auditContext = { actor: 'system' } as const;
  await operator.services.grants.grant({ accountId, right, endsAt: null }, auditContext);
  const signIn = { accountId, upstreamSessionId: `session of ${accountId}`, acr: 'urn:foyer:acr:mfa', userAgent: '' };
  const browserSession = { browser: `console of ${accountId}`, accountId, acr: signIn.acr, amr: ['pwd', 'otp', 'mfa'] };
  await operator.services.sessions.begin({
    ...browserSession,
    upstreamSessionId: signIn.upstreamSessionId,
    lifetimeSeconds: 3600,
  });
  const begun = await operator.services.operatorSessions.begin({ ...signIn, authTime: operator.clock.now() }, null, auditContext);
  if (begun.kind !== 'begun') throw new Error(`No session begins: ${begun.kind}`);
  return begun.secret;
}
