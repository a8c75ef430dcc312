/** Renders a part or a page of the console for a test with a DOM, with what the server has answered already. */
import type { ReactNode } from 'react';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { render, type RenderResult } from '@testing-library/react';
import { createQueryClient } from '../../console/api/query-client.js';
import { SessionProvider } from '../../console/session/session-context.js';
import type { Session } from '../../console/session/session.js';

// The environment has a `scrollTo` that only reports an error, and neither modal dialogs, `scrollIntoView` nor `matchMedia`.
Object.assign(window, { scrollTo: () => undefined, matchMedia: () => ({ matches: false }) });
Object.assign(Element.prototype, { scrollIntoView: () => undefined });
Object.assign(HTMLDialogElement.prototype, { showModal: () => undefined, close: () => undefined });

interface Known {
  /** With the answers of the server. */
  client?: QueryClient;
  /** What the part reads of the session. */
  session: Partial<Session>;
}

export function renderInConsole(content: ReactNode, { client = createQueryClient(), session }: Known): RenderResult {
  return render(
    <QueryClientProvider client={client}>
      <SessionProvider value={session as Session}>{content}</SessionProvider>
    </QueryClientProvider>,
  );
}

/** @param path of the route, below `/console` @param address that is open */
export function renderConsolePage(
  { component, path, address }: { component: () => ReactNode; path: string; address: string },
  known: Known,
): RenderResult {
  const rootRoute = createRootRoute();
  const gate = createRoute({ getParentRoute: () => rootRoute, id: 'gate' });
  const page = createRoute({ getParentRoute: () => gate, path, component });
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createRouter({ routeTree: rootRoute.addChildren([gate.addChildren([page])]), history });
  return renderInConsole(<RouterProvider router={router as never} />, known);
}
