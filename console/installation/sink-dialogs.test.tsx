/** @jest-environment jsdom */
import { beforeAll, expect, it } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { renderInConsole } from '../../test/support/console-render.js';
import { ReplayDialog } from './sink-dialogs.js';

beforeAll(startConsolePhrases);

it('the dialog that sends events again reports a missing time', () => {
  renderInConsole(<ReplayDialog sink={{ name: 'siem' }} onClose={() => undefined} />, { session: { second_operator: false } });
  fireEvent.change(screen.getByLabelText('Since'), { target: { value: '' } });
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'The system was restored' } });
  expect(screen.queryByRole('alert', { hidden: true })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Send again', hidden: true }));
  expect(screen.getByRole('alert', { hidden: true }).textContent).toBe('Please enter the date and the time.');
});
