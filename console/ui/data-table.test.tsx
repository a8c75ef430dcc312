/** @jest-environment jsdom */
import { expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { DataTable, type Columns } from './data-table.js';

interface Mail {
  id: string;
}

const COLUMNS: Columns<Mail> = [
  { id: 'mail', header: 'Mail', cell: ({ row }) => <button type="button">{`Retry ${row.original.id}`}</button> },
];

const show = (ids: string[]) => (
  <DataTable label="Mails" columns={COLUMNS} rows={ids.map((id) => ({ id }))} toKey={({ id }) => id} />
);

it('a row keeps its elements when rows are added before it, so that the focus does not move to another row', () => {
  const { rerender } = render(show(['1', '2']));
  const button = screen.getByRole('button', { name: 'Retry 1' });
  rerender(show(['3', '1', '2']));
  expect(screen.getByRole('button', { name: 'Retry 1' })).toBe(button);
});
