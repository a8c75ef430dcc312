/** @jest-environment jsdom */
import { afterEach, beforeAll, expect, it } from '@jest/globals';
import { getRouteApi, Link } from '@tanstack/react-router';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { renderConsolePage } from '../../test/support/console-render.js';
import { PeopleFilterBar } from './people-filter-bar.js';

beforeAll(startConsolePhrases);
afterEach(cleanup);

const route = getRouteApi('/gate/people');

const Page = () => (
  <>
    <PeopleFilterBar filters={route.useSearch()} />
    <Link to="/people" search={{ local: 'true' }}>
      Saved
    </Link>
  </>
);

const show = (search: string) =>
  renderConsolePage({ component: Page, path: '/people', address: `/people${search}` }, { session: { operations: [] } });

it('the time of a filter from the address stays while it is typed anew', async () => {
  show('?signed_in_since=2026-11-01T10:00Z');
  const field = await screen.findByLabelText<HTMLInputElement>('Since');
  await act(async () => void fireEvent.change(field, { target: { value: '' } }));
  expect(screen.getByLabelText('Since')).toBe(field);
});

it('a saved filter of accounts without a source is shown although a source was to be named before', async () => {
  show('');
  const field = await screen.findByLabelText<HTMLSelectElement>('Belongs to');
  await act(async () => void fireEvent.change(field, { target: { value: 'named' } }));
  expect(field.value).toBe('named');
  await act(async () => void fireEvent.click(screen.getByRole('link', { name: 'Saved' })));
  expect(field.value).toBe('local');
});
