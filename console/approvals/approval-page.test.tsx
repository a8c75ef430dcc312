/** @jest-environment jsdom */
import { afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { renderConsolePage } from '../../test/support/console-render.js';
import { ApiError } from '../api/api-error.js';
import { api, type Approval } from '../api/calls.js';
import { accountQuery, approvalQuery } from '../api/queries.js';
import { createQueryClient } from '../api/query-client.js';
import { ACCOUNTS, IDS } from '../fixtures/accounts.js';
import { buildApproval } from '../fixtures/approvals.js';
import type { Session } from '../session/session.js';
import { ApprovalPage } from './approval-page.js';

const SESSION = {
  operations: ['approvals.show'],
  operator: { account_id: IDS.admin, username: 'olga.operator' },
  rights: [],
} as unknown as Session;

beforeAll(startConsolePhrases);
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

async function showApproval(overrides: Partial<Approval>): Promise<void> {
  jest.useFakeTimers({ now: new Date('2026-11-24T10:00:00Z') });
  const client = createQueryClient();
  client.setQueryData(
    approvalQuery('a1').queryKey,
    buildApproval({ id: 'a1', operation: 'resets.factors', not_before: null, ...overrides }),
  );
  client.setQueryData(accountQuery(IDS.maria).queryKey, ACCOUNTS[0]);
  renderConsolePage({ component: ApprovalPage, path: '/approvals/$id', address: '/approvals/a1' }, { client, session: SESSION });
  await act(() => jest.advanceTimersByTimeAsync(100));
}

it('an operation that cannot be approved yet can be approved on the same page as soon as its time comes', async () => {
  await showApproval({ not_before: '2026-11-24T10:05:00Z' });
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
  await act(() => jest.advanceTimersByTimeAsync(300_000));
  screen.getByRole('button', { name: 'Approve' });
});

it.each(['open', 'rejected'] as const)(
  'only an open operation advises to ask the person who stopped it before: %s',
  async (state) => {
    await showApproval({ state, stopped_before: '2026-11-20T10:00:00Z' });
    expect(screen.getByText(/stopped the same request/).textContent.includes('ask them')).toBe(state === 'open');
  },
);

it.each([
  ['Approve', { asked_by_account: IDS.operator }, false],
  ['Approve', { asked_by_account: null, missing: 2 }, true],
  ['Reject', { asked_by_account: IDS.operator }, true],
  ['Withdraw', { asked_by_account: IDS.admin }, false],
])('the dialog shows a command only if a token may make the decision: %s %j', async (name, overrides, isShown) => {
  await showApproval(overrides);
  fireEvent.click(screen.getByRole('button', { name }));
  expect(screen.queryByText('Show as command') !== null).toBe(isShown);
});

it('has a heading while an operation is loaded, and loads it again after a failure', async () => {
  const failure = new ApiError(404, 'approval_not_found', 'There is no such approval.');
  const get = jest.spyOn(api, 'GET').mockReturnValue(new Promise(() => undefined));
  get.mockImplementationOnce(() => Promise.reject(failure));
  renderConsolePage({ component: ApprovalPage, path: '/approvals/$id', address: '/approvals/a1' }, { session: SESSION });
  const retry = await screen.findByRole('button', { name: 'Try again' });
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Approvals');
  fireEvent.click(retry);
  await waitFor(() => expect(get).toHaveBeenCalledTimes(2));
  get.mockRestore();
});
