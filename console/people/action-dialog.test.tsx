/** @jest-environment jsdom */
import { beforeAll, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { renderConsolePage } from '../../test/support/console-render.js';
import { api } from '../api/calls.js';
import { ACCOUNTS } from '../fixtures/accounts.js';
import { ActionDialog } from './action-dialog.js';

const [maria] = ACCOUNTS;

beforeAll(startConsolePhrases);

function Page() {
  const [account, setAccount] = useState(maria!);
  return (
    <>
      <button type="button" onClick={() => setAccount({ ...account, language: 'fr', groups: ['Leitung'] })}>
        Reload
      </button>
      <ActionDialog
        account={account}
        selection={{ name: 'change' }}
        lastReason="Ticket 1"
        onReason={() => undefined}
        onClose={() => undefined}
      />
    </>
  );
}

it('a change contains what the operator has changed, and does not undo what somebody else has changed meanwhile', async () => {
  const call = jest.spyOn(api, 'PATCH').mockResolvedValue({ data: {}, response: { status: 200 } } as never);
  const session = { second_operator: false, support_check: false, operations: [] };
  renderConsolePage({ component: Page, path: '/people/$id', address: `/people/${maria!.id}` }, { session });
  fireEvent.change(await screen.findByLabelText('Display name'), { target: { value: 'Maria M.' } });
  fireEvent.click(screen.getByRole('button', { name: 'Reload' }));
  await act(async () => void fireEvent.submit(screen.getByLabelText('Display name')));
  const calls = call.mock.calls as unknown as [path: string, options: { body: object }][];
  expect(calls.map(([, { body }]) => body)).toEqual([{ display_name: 'Maria M.' }]);
});
