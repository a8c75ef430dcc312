/** @jest-environment jsdom */
import { afterEach, expect, it, jest } from '@jest/globals';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

jest.unstable_mockModule('../browser/passkey.js', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

afterEach(cleanup);

it('the button says that nobody is signed in if its code cannot be loaded', async () => {
  const failures: unknown[] = [];
  const note = (reason: unknown) => failures.push(reason);
  process.on('unhandledRejection', note);
  await showFixture('login-paused-passkey-first');
  fireEvent.click(screen.getByRole('button', { name: 'Use a passkey' }));
  expect((await screen.findByText(/^You’re not signed in yet/)).role).toBe('alert');
  process.off('unhandledRejection', note);
  expect(failures).toEqual([]);
});
