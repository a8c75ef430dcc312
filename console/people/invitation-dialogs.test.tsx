/** @jest-environment jsdom */
import { afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { renderInConsole } from '../../test/support/console-render.js';
import { ApiError } from '../api/api-error.js';
import { api } from '../api/calls.js';
import { createQueryClient } from '../api/query-client.js';
import { InviteDialog, InviteFileDialog } from './invitation-dialogs.js';

beforeAll(startConsolePhrases);
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

const close = (): void => undefined;

/** @param text rejects for a file that cannot be read */
async function select(text: () => Promise<string>): Promise<HTMLElement> {
  const field = document.querySelector<HTMLElement>('[name=file]')!;
  await act(async () => void fireEvent.change(field, { target: { files: [{ name: 'people.txt', text }] } }));
  return field;
}

it('a file that cannot be read is reported, and does not leave the people of the file before', async () => {
  renderInConsole(<InviteFileDialog onClose={close} />, { session: { second_operator: false } });
  await select(() => Promise.resolve('nora@example.org'));
  await select(() => Promise.reject(new Error('The file has changed.')));
  screen.getByRole('alert', { hidden: true });
});

it('the list is loaded again after a part of a file was sent and the rest has failed', async () => {
  const people = Array.from({ length: 101 }, (_, index) => `person${index}@example.org`).join('\n');
  const results = Array.from({ length: 100 }, (_, index) => ({ row: index + 1, result: 'invited' }));
  jest
    .spyOn(api, 'POST')
    .mockResolvedValueOnce({ data: { results }, response: { status: 200 } })
    .mockRejectedValueOnce(new ApiError(429, 'limited', 'Too many requests.'));
  const client = createQueryClient();
  const reload = jest.spyOn(client, 'invalidateQueries');
  renderInConsole(<InviteFileDialog onClose={close} />, { client, session: { second_operator: false } });
  const field = await select(() => Promise.resolve(people));
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'Ticket 1' } });
  await act(async () => void fireEvent.submit(field));
  screen.getByRole('alert', { hidden: true });
  expect(reload).toHaveBeenCalledTimes(1);
});

it('a refusal is shown outside the part that scrolls and has the focus, and the refused field is marked', async () => {
  const refusal = new ApiError(422, 'unknown_client', 'Hydra has no client with this id.', { field: 'client' });
  jest.spyOn(api, 'POST').mockRejectedValue(refusal);
  renderInConsole(<InviteDialog onClose={close} />, { session: { second_operator: false } });
  fireEvent.change(screen.getByLabelText('E‑mail address'), { target: { value: 'nora@example.org' } });
  fireEvent.change(screen.getByLabelText(/^App/), { target: { value: 'Beispielportal' } });
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'Ticket 1' } });
  await act(async () => void fireEvent.submit(screen.getByLabelText('Reason')));
  const alert = screen.getByText('No app has this client id').closest('[role=alert]')!;
  expect(alert.closest('.dialog-body')).toBeNull();
  expect(document.activeElement?.contains(alert)).toBe(true);
  const names = [...document.querySelectorAll('[aria-invalid=true]')].map((field) => field.getAttribute('name'));
  expect(names).toEqual(['client']);
});
