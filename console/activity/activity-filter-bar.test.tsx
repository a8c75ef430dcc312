/** @jest-environment jsdom */
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { renderInConsole } from '../../test/support/console-render.js';
import { api } from '../api/calls.js';
import { ACCOUNTS } from '../fixtures/accounts.js';
import { ActivityFilterBar } from './activity-filter-bar.js';
import { readActivityFilters } from './activity-filters.js';

const [maria, otherPerson] = ACCOUNTS;

const toAnswer = (person: typeof maria) => ({
  data: { accounts: [person], more_accounts: false, events: [], clients: [] },
  response: { status: 200 },
});

describe('the filters of the activity', () => {
  let answer: () => void;

  beforeAll(startConsolePhrases);
  beforeEach(() => {
    const found = new Promise((resolve) => {
      answer = () => resolve(toAnswer(maria));
    });
    jest.spyOn(api, 'GET').mockImplementation((() => found) as never);
  });
  afterEach(() => {
    cleanup();
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  async function openPage() {
    const rootRoute = createRootRoute();
    const activity = createRoute({
      getParentRoute: () => rootRoute,
      path: '/activity',
      validateSearch: readActivityFilters,
      component: () => <ActivityFilterBar filters={activity.useSearch()} entries={[]} />,
    });
    const apps = createRoute({ getParentRoute: () => rootRoute, path: '/apps' });
    const history = createMemoryHistory({ initialEntries: ['/activity'] });
    const router = createRouter({ routeTree: rootRoute.addChildren([activity, apps]), history });
    renderInConsole(<RouterProvider router={router as never} />, { session: { operations: ['search.find'] } });
    return { router, field: await screen.findByLabelText('Person') };
  }

  async function namePerson(field: HTMLElement, { username } = maria!): Promise<void> {
    fireEvent.change(field, { target: { value: username } });
    await act(async () => void fireEvent.blur(field));
  }

  it('keep what was chosen while a person is looked up', async () => {
    const { router, field } = await openPage();
    await namePerson(field);
    await act(async () => void fireEvent.change(screen.getByLabelText('Event'), { target: { value: 'password' } }));
    await act(async () => answer());
    expect(router.state.location.search).toEqual({ kind: 'password', account: maria!.id });
  });

  it('do not lead back from a page that was opened while a person is looked up', async () => {
    const { router, field } = await openPage();
    await namePerson(field);
    await act(() => router.navigate({ to: '/apps' }));
    await act(async () => answer());
    expect(router.state.location.pathname).toBe('/apps');
  });

  it('show the person who was named last, not the one before who is found meanwhile', async () => {
    const { router, field } = await openPage();
    await namePerson(field);
    let answerLast = (): void => undefined;
    const found = new Promise((resolve) => {
      answerLast = () => resolve(toAnswer(otherPerson));
    });
    jest.spyOn(api, 'GET').mockImplementation((() => found) as never);
    await namePerson(field, otherPerson);
    await act(async () => answer());
    await act(async () => answerLast());
    expect(router.state.location.search).toEqual({ account: otherPerson!.id });
  });

  it('no longer show yesterday as today after midnight', async () => {
    await openPage();
    jest.useFakeTimers({ now: new Date(2026, 10, 24, 23, 0) });
    const findPeriod = () => screen.getByLabelText<HTMLSelectElement>('Period');
    fireEvent.change(findPeriod(), { target: { value: 'today' } });
    await act(() => jest.advanceTimersByTimeAsync(100));
    expect(findPeriod().value).toBe('today');
    await act(() => jest.advanceTimersByTimeAsync(60 * 60 * 1000));
    expect(findPeriod().value).toBe('other');
  });

  it('begin today at midnight also on a page that was opened yesterday', async () => {
    const { router } = await openPage();
    jest.useFakeTimers({ now: Date.now() + 24 * 60 * 60 * 1000, doNotFake: ['setTimeout', 'queueMicrotask'] });
    await act(async () => void fireEvent.change(screen.getByLabelText('Period'), { target: { value: 'today' } }));
    const midnight = new Date(new Date().setHours(0, 0, 0, 0)).toISOString().slice(0, 16);
    expect(router.state.location.search).toEqual({ since: `${midnight}Z` });
  });
});
