/** @jest-environment jsdom */
import { afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { renderInConsole } from '../../test/support/console-render.js';
import { api } from '../api/calls.js';
import { candidatesQuery } from '../api/queries.js';
import { createQueryClient } from '../api/query-client.js';
import { ACCOUNTS } from '../fixtures/accounts.js';
import { PersonChoice } from './person-choice.js';

beforeAll(startConsolePhrases);
afterEach(() => {
  jest.restoreAllMocks();
});

it('Enter chooses the first person who was found for the typed text, and nobody who was found for the text before', async () => {
  jest.spyOn(api, 'GET').mockImplementation((() => new Promise(() => undefined)) as never);
  const client = createQueryClient();
  client.setQueryData(candidatesQuery('maria').queryKey, { accounts: [ACCOUNTS[0]!] });
  const choose = jest.fn();
  renderInConsole(<PersonChoice person={null} isMissing={false} onChoose={choose} />, { client, session: {} });
  const field = screen.getByLabelText('Person');
  const type = (value: string) => act(async () => void fireEvent.change(field, { target: { value } }));
  await type('maria');
  await type('nora');
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(choose).not.toHaveBeenCalled();
  await type('maria');
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(choose).toHaveBeenCalledWith(ACCOUNTS[0]);
});
