/** @jest-environment jsdom */
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { createQueryClient } from '../api/query-client.js';
import { ProofDialog } from './proof-dialog.js';
import { proofRequests } from './proof-requests.js';
import { SessionProvider } from './session-context.js';
import type { Session } from './session.js';

const OPERATOR = { account_id: 'a1', username: 'maria', display_name: 'Maria', language: null };
const SESSION = { operator: OPERATOR, fresh_until: null } as Partial<Session> as Session;
const PROVEN_SESSION: Session = { ...SESSION, fresh_until: '2026-11-29T12:00:00Z' };

const respond = (session: Session) => ({ ok: true, status: 200, headers: new Map(), json: () => Promise.resolve(session) });

describe('the question for a fresh proof', () => {
  const fetch = jest.fn<() => Promise<unknown>>();
  let settled: Promise<boolean>;

  beforeAll(startConsolePhrases);
  beforeEach(() => {
    // The environment has none of these.
    Object.assign(globalThis, {
      ...{
        fetch,
        Request: Object,
        BroadcastChannel: class {
          close(): void {}
        },
      },
      ...{ matchMedia: () => ({ matches: false }), open: () => null },
    });
    Object.assign(HTMLDialogElement.prototype, { showModal: () => undefined, close: () => undefined });
    fetch.mockImplementation(() => Promise.resolve(respond(SESSION)));
    settled = proofRequests.ask('proof_outdated');
    render(
      <QueryClientProvider client={createQueryClient()}>
        <SessionProvider value={SESSION}>
          <ProofDialog />
        </SessionProvider>
      </QueryClientProvider>,
    );
  });
  afterEach(() => {
    cleanup();
    proofRequests.settle(false);
    fetch.mockClear();
  });

  const returnToWindow = () => act(async () => void fireEvent.focus(window));

  it('reports nothing when the operator returns to the window without the proof, and continues with it', async () => {
    await returnToWindow();
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('alert', { hidden: true })).toBeNull();
    fetch.mockImplementation(() => Promise.resolve(respond(PROVEN_SESSION)));
    await returnToWindow();
    expect(await settled).toBe(true);
  });

  it('reports the missing proof to an operator who says that it was given', async () => {
    fireEvent.click(screen.getByRole('link', { name: 'Confirm', hidden: true }));
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'I’m done', hidden: true })));
    expect(screen.getByRole('alert', { hidden: true }).textContent).toContain('you haven’t confirmed that it’s you');
  });
});
