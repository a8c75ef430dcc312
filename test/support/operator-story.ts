/** Steps that the stories of the operator API share. */
import { expect } from '@jest/globals';
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

export function expectError(answer: OperatorAnswer, status: number, error: string, field?: string): void {
  expect(answer.json).toMatchObject({ error, ...(field === undefined ? {} : { field }) });
  expect(answer.status).toBe(status);
  expect(answer.json['message']).toMatch(/^[\s\S]+\.$/);
  expect(answer.headers['cache-control']).toBe('no-store');
}
