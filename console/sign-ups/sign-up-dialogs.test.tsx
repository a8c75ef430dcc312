/** @jest-environment jsdom */
import { beforeAll, expect, it, jest } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { renderInConsole } from '../../test/support/console-render.js';
import { ApiError } from '../api/api-error.js';
import { api, type SignUp } from '../api/calls.js';
import { createQueryClient } from '../api/query-client.js';
import { signUpsKey } from '../api/queries.js';
import { RefuseDialog } from './sign-up-dialogs.js';

beforeAll(startConsolePhrases);
beforeAll(() => {
  // The environment has none of these.
  Object.assign(HTMLDialogElement.prototype, { showModal: () => undefined, close: () => undefined });
  Object.assign(globalThis, { matchMedia: () => ({ matches: false }) });
});

it('the list of sign-ups is loaded again if somebody else has decided meanwhile', async () => {
  jest.spyOn(api, 'POST').mockRejectedValue(new ApiError(404, 'sign_up_not_found', 'There is no such sign-up.'));
  const client = createQueryClient();
  const reload = jest.spyOn(client, 'invalidateQueries');
  const signUp = { id: '7', email: 'nora@example.org' } as SignUp;
  renderInConsole(<RefuseDialog signUp={signUp} onClose={() => undefined} />, { client, session: { second_operator: false } });
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'Unknown person' } });
  fireEvent.click(screen.getByRole('button', { name: 'Refuse', hidden: true }));
  await screen.findByRole('alert', { hidden: true });
  expect(reload).toHaveBeenCalledWith({ queryKey: signUpsKey });
});
