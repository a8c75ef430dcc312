/** @jest-environment jsdom */
import { beforeAll, expect, it } from '@jest/globals';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { createQueryClient } from '../api/query-client.js';
import { sessionsQuery } from '../api/queries.js';
import { ACCOUNTS, SESSIONS } from '../fixtures/accounts.js';
import { SessionProvider } from '../session/session-context.js';
import type { Session } from '../session/session.js';
import { SessionsPanel } from './person-panels.js';

beforeAll(startConsolePhrases);

it.each([
  [['pwd', 'otp', 'mfa'], 'password + code ·'],
  [['mail'], 'code by e‑mail ·'],
])('a session names how the person signed in: %j', (amr, words) => {
  const [maria] = ACCOUNTS;
  const client = createQueryClient();
  client.setQueryData(sessionsQuery(maria!.id).queryKey, { sessions: [{ ...SESSIONS[0]!, amr }] });
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <SessionProvider value={{ operations: ['sessions.list'] } as Partial<Session> as Session}>
        <SessionsPanel account={maria!} onAction={() => undefined} />
      </SessionProvider>
    </QueryClientProvider>,
  );
  expect(screen.getByRole('listitem').textContent).toContain(words);
  unmount();
});
