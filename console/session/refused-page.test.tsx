/** @jest-environment jsdom */
import { beforeAll, expect, it } from '@jest/globals';
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { readRefusal } from './refusal.js';
import { RefusedPage } from './refused-page.js';

beforeAll(startConsolePhrases);
// The environment has a `scrollTo` that only reports an error.
beforeAll(() => void Object.assign(window, { scrollTo: () => undefined }));

it.each([
  ['unknown', 'Sign in again'],
  ['expired', 'Sign in again'],
  ['not_operator', 'Use another account'],
])('a refused sign-in for the reason %s can be continued with: %s', async (reason, action) => {
  const rootRoute = createRootRoute();
  const route = createRoute({
    getParentRoute: () => rootRoute,
    path: '/refused',
    validateSearch: readRefusal,
    component: RefusedPage,
  });
  const history = createMemoryHistory({ initialEntries: [`/refused?reason=${reason}`] });
  const router = createRouter({ routeTree: rootRoute.addChildren([route]), history });
  const { unmount } = render(<RouterProvider router={router as never} />);
  expect((await screen.findByRole('link', { name: /account|again/ })).textContent).toBe(action);
  unmount();
});
