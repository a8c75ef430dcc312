/** @jest-environment jsdom */
import { beforeAll, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { renderConsolePage } from '../../test/support/console-render.js';
import { ApiError } from '../api/api-error.js';
import { api } from '../api/calls.js';
import { clientsQuery } from '../api/queries.js';
import { createQueryClient } from '../api/query-client.js';
import { CLIENTS } from '../fixtures/clients.js';
import { AppsPage } from './apps-page.js';

beforeAll(startConsolePhrases);

it('a failed search is reported, and the apps that do not match it are not shown', async () => {
  jest.spyOn(api, 'GET').mockRejectedValue(new ApiError(429, 'limited', 'Too many requests.') as never);
  const client = createQueryClient();
  client.setQueryData(clientsQuery(undefined).queryKey, { clients: CLIENTS } as never);
  renderConsolePage(
    { component: AppsPage, path: '/apps', address: '/apps' },
    { client, session: { operations: ['clients.list'] } },
  );
  const field = await screen.findByLabelText('Find an app by its name or id');
  await act(async () => void fireEvent.change(field, { target: { value: 'nothing' } }));
  await screen.findByRole('alert');
  expect(screen.queryByRole('table')).toBeNull();
  await act(async () => void fireEvent.change(field, { target: { value: '' } }));
  screen.getByRole('table');
  expect(screen.queryByRole('alert')).toBeNull();
});
