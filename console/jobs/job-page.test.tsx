/** @jest-environment jsdom */
import { beforeAll, it } from '@jest/globals';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { createQueryClient } from '../api/query-client.js';
import { jobQuery } from '../api/queries.js';
import { buildJob } from '../fixtures/jobs.js';
import { SessionProvider } from '../session/session-context.js';
import type { Session } from '../session/session.js';
import { JobPage } from './job-page.js';

beforeAll(startConsolePhrases);
// The environment has a `scrollTo` that only reports an error.
beforeAll(() => void Object.assign(window, { scrollTo: () => undefined }));

it('the page of a job names the token without a name as the list does, and writes days as all other pages do', async () => {
  const filter = { signed_in_before: '2026-01-31T12:00Z' };
  const client = createQueryClient();
  client.setQueryData(jobQuery('7').queryKey, buildJob('7', { state: 'done', started_by: 'operator', filter }));
  const rootRoute = createRootRoute();
  const gate = createRoute({ getParentRoute: () => rootRoute, id: 'gate' });
  const page = createRoute({ getParentRoute: () => gate, path: '/people/jobs/$job', component: JobPage });
  const history = createMemoryHistory({ initialEntries: ['/people/jobs/7'] });
  const router = createRouter({ routeTree: rootRoute.addChildren([gate.addChildren([page])]), history });
  render(
    <QueryClientProvider client={client}>
      <SessionProvider value={{ operations: ['jobs.show'], operator: { username: 'olga' }, rights: [] } as unknown as Session}>
        <RouterProvider router={router as never} />
      </SessionProvider>
    </QueryClientProvider>,
  );
  await screen.findByText('Last sign-in, Before: 31 Jan 2026');
  screen.getByText('token without a name');
});
