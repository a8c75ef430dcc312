/** @jest-environment jsdom */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

describe('the download of the data about a person', () => {
  it('is a plain form with a button that can be pressed again', async () => {
    await showFixture('manage-data');
    const form = document.querySelector('form');
    const submit = jest.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => undefined);
    for (const presses of [1, 2]) {
      fireEvent.click(screen.getByRole('button', { name: 'Download' }));
      expect(await screen.findByRole('button', { name: 'Download' })).toBeTruthy();
      expect(submit).toHaveBeenCalledTimes(presses);
    }
    expect(screen.getByRole('status').textContent).toBe('The download has started');
    expect(document.querySelector('.bullets')?.previousElementSibling?.textContent).toMatch(/:$/);
    expect([form?.method, new URL(form?.action ?? '').pathname]).toEqual(['post', '/manage/data']);
  });

  it('states how long to wait', async () => {
    await showFixture('manage-data-limited');
    const alert = screen.getByRole('alert');
    expect(alert.textContent).toContain('30\u00a0minutes');
    // The list follows the sentence that ends in a colon.
    const list = document.querySelector('.bullets')!;
    expect(list.compareDocumentPosition(alert) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  });
});
