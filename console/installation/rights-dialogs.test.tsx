/** @jest-environment jsdom */
import { afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { renderConsolePage } from '../../test/support/console-render.js';
import { api } from '../api/calls.js';
import { ACCOUNTS } from '../fixtures/accounts.js';
import { OPERATORS } from '../fixtures/operators.js';
import { GrantDialog, RevokeDialog } from './rights-dialogs.js';

const session = { second_operator: false };
const close = (): void => undefined;

beforeAll(startConsolePhrases);
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

it('a right is not granted while its last day is incomplete, because it would not end', async () => {
  const call = jest.spyOn(api, 'POST').mockResolvedValue({ data: {}, response: { status: 200 } });
  const component = () => <GrantDialog person={ACCOUNTS[0]!} onClose={close} />;
  renderConsolePage({ component, path: '/operators', address: '/operators' }, { session });
  const field = await screen.findByLabelText(/Last day/);
  // The environment has no fields that can be incomplete.
  Object.defineProperty(field, 'validity', { value: { badInput: true }, configurable: true });
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'Ticket 1' } });
  await act(async () => void fireEvent.submit(field));
  expect(call).not.toHaveBeenCalled();
  expect(screen.getByRole('alert', { hidden: true }).textContent).toBe('Please enter the whole date.');
  Object.defineProperty(field, 'validity', { value: { badInput: false } });
  await act(async () => void fireEvent.submit(field));
  expect(call).toHaveBeenCalledTimes(1);
});

it('the command names an operator by id if the username would be read as an option', async () => {
  const operator = { ...OPERATORS[0]!, username: '--all' };
  const component = () => <RevokeDialog operator={operator} right="admin" onClose={close} />;
  renderConsolePage({ component, path: '/operators', address: '/operators' }, { session });
  await screen.findByText(`foyer operator revoke ${operator.account_id} admin --reason '…'`);
});

it('the right that allows least is selected at first', async () => {
  const component = () => <GrantDialog person={ACCOUNTS[0]!} onClose={close} />;
  renderConsolePage({ component, path: '/operators', address: '/operators' }, { session });
  const [read, ...others] = await screen.findAllByRole<HTMLInputElement>('radio', { hidden: true });
  expect([read?.checked, others.some(({ checked }) => checked)]).toEqual([true, false]);
});
