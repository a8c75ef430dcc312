/** @jest-environment jsdom */
import { afterEach, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

jest.unstable_mockModule('../browser/mail-work.js', () => {
  throw new Error('The file cannot be loaded.');
});

afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

it('[JOI-48] sends the form after the wait if the script of the work cannot be loaded', async () => {
  const submit = jest.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => undefined);
  await showFixture('registration-step-work');
  jest.useFakeTimers();
  fireEvent.submit(document.querySelector('form[action="/register/details"]')!);
  await act(() => jest.advanceTimersByTimeAsync(19_900));
  expect(submit).not.toHaveBeenCalled();
  await act(() => jest.advanceTimersByTimeAsync(200));
  expect(submit).toHaveBeenCalledTimes(1);
});
