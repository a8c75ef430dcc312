/** @jest-environment jsdom */
import { beforeAll, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { renderInConsole } from '../../test/support/console-render.js';
import { createQueryClient } from '../api/query-client.js';
import { sessionsQuery } from '../api/queries.js';
import { ACCOUNTS, SESSIONS } from '../fixtures/accounts.js';
import { SessionsPanel } from './person-panels.js';

beforeAll(startConsolePhrases);

it.each([
  [['pwd', 'otp', 'mfa'], 'password + code ·'],
  [['mail'], 'code by e‑mail ·'],
])('a session names how the person signed in: %j', (amr, words) => {
  const [maria] = ACCOUNTS;
  const client = createQueryClient();
  client.setQueryData(sessionsQuery(maria!.id).queryKey, { sessions: [{ ...SESSIONS[0]!, amr }] });
  const panel = <SessionsPanel account={maria!} onAction={() => undefined} />;
  const { unmount } = renderInConsole(panel, { client, session: { operations: ['sessions.list'] } });
  expect(screen.getByRole('listitem').textContent).toContain(words);
  unmount();
});
