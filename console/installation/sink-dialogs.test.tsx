/** @jest-environment jsdom */
import { afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { renderInConsole } from '../../test/support/console-render.js';
import { ApiError } from '../api/api-error.js';
import { api } from '../api/calls.js';
import { createQueryClient } from '../api/query-client.js';
import { sinkKey } from '../api/queries.js';
import { ReplayDialog, ReplayOneDialog } from './sink-dialogs.js';

beforeAll(startConsolePhrases);
afterEach(cleanup);

it('the dialog that sends events again reports a missing time', () => {
  renderInConsole(<ReplayDialog sink={{ name: 'siem' }} onClose={() => undefined} />, { session: { second_operator: false } });
  fireEvent.change(screen.getByLabelText('Since'), { target: { value: '' } });
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'The system was restored' } });
  expect(screen.queryByRole('alert', { hidden: true })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Send again', hidden: true }));
  expect(screen.getByRole('alert', { hidden: true }).textContent).toBe('Please enter the date and the time.');
});

it('the list of events is loaded again if one of them cannot be sent again', async () => {
  jest.spyOn(api, 'POST').mockRejectedValue(new ApiError(404, 'event_not_found', 'There is no such event.'));
  const client = createQueryClient();
  const reload = jest.spyOn(client, 'invalidateQueries');
  const dialog = <ReplayOneDialog sink={{ name: 'siem' }} event="7" onClose={() => undefined} />;
  renderInConsole(dialog, { client, session: { second_operator: false } });
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'The system was restored' } });
  fireEvent.click(screen.getByRole('button', { name: 'Send again', hidden: true }));
  await screen.findByRole('alert', { hidden: true });
  expect(reload).toHaveBeenCalledWith({ queryKey: sinkKey });
});
