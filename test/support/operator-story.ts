/** Steps that the stories of the operator API share. */
import { expect } from '@jest/globals';
import { run } from '../../src/operator/cli/run.js';
import type { Terminal } from '../../src/operator/cli/terminal.js';
import type { OperatorAnswer, TestOperator } from './operator.js';

/** @param operator asked for at each step, because a story starts it in `beforeAll` */
export function operatorSteps(operator: () => TestOperator) {
  let count = 0;

  /** @returns the answer to the creation of somebody new */
  async function created(more: object = {}): Promise<{ id: string; username: string }> {
    const answer = await operator().call('POST', '/accounts', { username: `person-${(count += 1)}`, ...more });
    expect(answer.status).toBe(201);
    return answer.json as { id: string; username: string };
  }

  async function kindsOf(id: string): Promise<unknown[]> {
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

  return { created, kindsOf, beginSession };
}

export const environmentOf = ({ url, token }: TestOperator) => ({ OPERATOR_URL: url, OPERATOR_TOKEN: token });

/**
 * @param operator asked for at each line, because a story starts it in `beforeAll`
 * @returns runs a command line as a terminal would; a string is cut at its spaces
 */
export function commandLine(operator: () => TestOperator) {
  return async (line: string | readonly string[], more: Partial<Terminal> = {}) => {
    let out = '';
    let err = '';
    const terminal: Terminal = {
      env: environmentOf(operator()),
      out: (text) => (out += text),
      err: (text) => (err += text),
      readSecret: () => Promise.resolve(''),
      colours: false,
      ...more,
    };
    const code = await run(typeof line === 'string' ? line.split(' ') : line, terminal);
    return { code, out, err };
  };
}

export function expectError(answer: OperatorAnswer, status: number, error: string, field?: string): void {
  expect(answer.json).toMatchObject({ error, ...(field === undefined ? {} : { field }) });
  expect(answer.status).toBe(status);
  expect(answer.json['message']).toMatch(/^[\s\S]+\.$/);
  expect(answer.headers['cache-control']).toBe('no-store');
}
