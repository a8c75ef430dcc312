/** @jest-environment jsdom */
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createMemoryHistory, createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { renderInConsole } from '../../test/support/console-render.js';
import { api } from '../api/calls.js';
import { ACCOUNTS } from '../fixtures/accounts.js';
import { SearchBox } from './search-box.js';

const ID = '0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11';

describe('a search that has begun', () => {
  let answer: () => void;

  beforeAll(startConsolePhrases);
  beforeEach(() => {
    const data = { accounts: [ACCOUNTS[0]], more_accounts: false, events: [], clients: [] };
    const found = new Promise((resolve) => {
      answer = () => resolve({ data, response: { status: 200 } });
    });
    jest.spyOn(api, 'GET').mockImplementation((() => found) as never);
  });
  afterEach(() => {
    cleanup();
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  async function openPage() {
    const rootRoute = createRootRoute({
      component: () => (
        <>
          <SearchBox />
          <Outlet />
        </>
      ),
    });
    const routes = ['/today', '/apps', '/people', '/people/$id'].map((path) =>
      createRoute({ getParentRoute: () => rootRoute, path }),
    );
    const history = createMemoryHistory({ initialEntries: ['/today'] });
    const router = createRouter({ routeTree: rootRoute.addChildren(routes), history });
    renderInConsole(<RouterProvider router={router as never} />, { session: { operations: [] } });
    return { history, router, input: await screen.findByRole('combobox') };
  }

  const type = (input: HTMLElement, value: string) => act(async () => void fireEvent.change(input, { target: { value } }));

  it('opens the only person who is found', async () => {
    const { history, input } = await openPage();
    await type(input, 'maria');
    await act(async () => {
      fireEvent.submit(input);
      answer();
    });
    expect(history.location.pathname).toBe(`/people/${ACCOUNTS[0]!.id}`);
  });

  it('opens nothing after the operator has opened another page', async () => {
    const { history, router, input } = await openPage();
    await type(input, 'maria');
    await act(async () => void fireEvent.submit(input));
    await act(() => router.navigate({ to: '/apps' }));
    await act(async () => answer());
    expect(history.location.pathname).toBe('/apps');
  });

  it('opens nothing after the text was removed', async () => {
    const { history, input } = await openPage();
    answer();
    jest.useFakeTimers();
    await type(input, ID);
    await type(input, '');
    await act(() => jest.advanceTimersByTimeAsync(300));
    expect(history.location.pathname).toBe('/today');
  });
});
