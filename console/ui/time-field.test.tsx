/** @jest-environment jsdom */
import { beforeAll, expect, it } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { TimeField } from './time-field.js';

beforeAll(startConsolePhrases);

function Filter({ onChange }: { onChange(value: string | undefined): void }) {
  const [value, setValue] = useState<string>();
  const change = (newValue: string | undefined): void => {
    onChange(newValue);
    setValue(newValue);
  };
  return <TimeField label="Since" value={value} onChange={change} />;
}

it('a year can be typed digit by digit, as browsers report it, and takes effect when it is complete', () => {
  const values: (string | undefined)[] = [];
  render(<Filter onChange={(value) => values.push(value)} />);
  const field = screen.getByLabelText<HTMLInputElement>('Since');
  fireEvent.focus(field);
  for (const year of ['0002', '0020', '0202']) {
    fireEvent.change(field, { target: { value: `${year}-11-29T14:03` } });
    expect(field.value).toBe(`${year}-11-29T14:03`);
  }
  fireEvent.blur(field);
  screen.getByText('Please enter the date and the time.');
  expect(values.filter(Boolean)).toEqual([]);
  fireEvent.change(field, { target: { value: '2026-11-29T14:03' } });
  fireEvent.blur(field);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(field.value).toBe('2026-11-29T14:03');
  expect(values.at(-1)).toBe(`${new Date('2026-11-29T14:03').toISOString().slice(0, 16)}Z`);
});
