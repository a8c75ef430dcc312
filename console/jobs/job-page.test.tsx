/** @jest-environment jsdom */
import { afterEach, beforeAll, expect, it } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { renderConsolePage } from '../../test/support/console-render.js';
import type { Job } from '../api/calls.js';
import { createQueryClient } from '../api/query-client.js';
import { jobQuery } from '../api/queries.js';
import { buildJob } from '../fixtures/jobs.js';
import type { Session } from '../session/session.js';
import { JobPage } from './job-page.js';

beforeAll(startConsolePhrases);
afterEach(cleanup);

it('the page of a job names the token without a name as the list does, and writes days as all other pages do', async () => {
  const filter = { signed_in_before: '2026-01-31T12:00Z' };
  const client = createQueryClient();
  client.setQueryData(jobQuery('7').queryKey, buildJob('7', { state: 'done', started_by: 'operator', filter }));
  const session = { operations: ['jobs.show'], operator: { username: 'olga' }, rights: [] } as unknown as Session;
  renderConsolePage({ component: JobPage, path: '/people/jobs/$job', address: '/people/jobs/7' }, { client, session });
  await screen.findByText('Last sign-in, Before: 31 Jan 2026');
  screen.getByText('token without a name');
});

it('the page of a job shows the stored name of an action that only another version knows', async () => {
  const client = createQueryClient();
  client.setQueryData(jobQuery('8').queryKey, buildJob('8', { state: 'done', action: 'rename' as Job['action'] }));
  const session = { operations: ['jobs.show'], operator: { username: 'olga' }, rights: [] } as unknown as Session;
  renderConsolePage({ component: JobPage, path: '/people/jobs/$job', address: '/people/jobs/8' }, { client, session });
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('rename');
});
