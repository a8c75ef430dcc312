/** @jest-environment jsdom */
import { beforeAll, expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { renderInConsole } from '../../test/support/console-render.js';
import { acceptancesQuery } from '../api/queries.js';
import { createQueryClient } from '../api/query-client.js';
import { ACCOUNTS } from '../fixtures/accounts.js';
import { ACCEPTANCES } from '../fixtures/terms.js';
import { AcceptedTermsPanel } from './tasks-panel.js';

beforeAll(startConsolePhrases);

it('terms that a person has accepted together are rows of their own', () => {
  const report = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const [maria] = ACCOUNTS;
  const client = createQueryClient();
  const acceptances = ACCEPTANCES.map((acceptance) => ({ ...acceptance, accepted_at: '2026-11-01T10:00:00.000Z' }));
  client.setQueryData(acceptancesQuery(maria!.id).queryKey, { acceptances });
  renderInConsole(<AcceptedTermsPanel account={maria!} />, { client, session: { operations: ['accountTerms.list'] } });
  expect(screen.getAllByRole('listitem')).toHaveLength(ACCEPTANCES.length);
  // React reports equal keys.
  expect(report).not.toHaveBeenCalled();
  report.mockRestore();
});
