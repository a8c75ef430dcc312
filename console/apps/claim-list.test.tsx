/** @jest-environment jsdom */
import { afterEach, beforeAll, expect, it } from '@jest/globals';
import { cleanup, render } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { ClaimValue } from './claim-list.js';

beforeAll(startConsolePhrases);
afterEach(cleanup);

it.each([
  [0, '1970-01-01T00:00:00.000Z'],
  ['1764460800', '2025-11-30T00:00:00.000Z'],
  ['', undefined],
  [' ', undefined],
  ['2025-11-30', undefined],
])('the time %j of a claim is shown as %j', (value, time) => {
  const { container } = render(<ClaimValue name="updated_at" value={value} />);
  expect(container.querySelector('time')?.dateTime).toBe(time);
});
