/** @jest-environment jsdom */
import { beforeAll, expect, it } from '@jest/globals';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, fireEvent, screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { renderInConsole } from '../../test/support/console-render.js';
import { clientPeopleQuery } from '../api/queries.js';
import { createQueryClient } from '../api/query-client.js';
import { CLIENT_PEOPLE, CLIENTS } from '../fixtures/clients.js';
import { AppPeople } from './app-people.js';

beforeAll(startConsolePhrases);

it('after the last person of a later page is removed, the first page is shown, and not that there is nobody', async () => {
  const [app] = CLIENTS;
  const [first, last] = CLIENT_PEOPLE;
  const client = createQueryClient();
  const setPage = (cursor: string | undefined, page: object) =>
    client.setQueryData(clientPeopleQuery(app!.client_id, cursor).queryKey, { is_trusted: false, ...page } as never);
  setPage(undefined, { people: [first], next_cursor: 'c' });
  setPage('c', { people: [last] });
  const rootRoute = createRootRoute({ component: () => <AppPeople client={app!} /> });
  const router = createRouter({ routeTree: rootRoute, history: createMemoryHistory() });
  renderInConsole(<RouterProvider router={router as never} />, { client, session: { operations: [] } });
  fireEvent.click(await screen.findByRole('button', { name: 'Next page' }));
  await screen.findByText(last!.display_name);
  act(() => void setPage('c', { people: [] }));
  await screen.findByText(first!.display_name);
  expect(screen.queryByText('Nobody has granted anything to this app.')).toBeNull();
});
