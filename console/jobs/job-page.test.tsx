/** @jest-environment jsdom */
import { beforeAll, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { renderConsolePage } from '../../test/support/console-render.js';
import { createQueryClient } from '../api/query-client.js';
import { jobQuery } from '../api/queries.js';
import { buildJob } from '../fixtures/jobs.js';
import type { Session } from '../session/session.js';
import { JobPage } from './job-page.js';

beforeAll(startConsolePhrases);

it('the page of a job names the token without a name as the list does, and writes days as all other pages do', async () => {
  const filter = { signed_in_before: '2026-01-31T12:00Z' };
  const client = createQueryClient();
  client.setQueryData(jobQuery('7').queryKey, buildJob('7', { state: 'done', started_by: 'operator', filter }));
  const session = { operations: ['jobs.show'], operator: { username: 'olga' }, rights: [] } as unknown as Session;
  renderConsolePage({ component: JobPage, path: '/people/jobs/$job', address: '/people/jobs/7' }, { client, session });
  await screen.findByText('Last sign-in, Before: 31 Jan 2026');
  screen.getByText('token without a name');
});
