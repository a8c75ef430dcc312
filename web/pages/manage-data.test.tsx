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
    // The alert is below the list, because the sentence above the list ends in a colon.
    const list = document.querySelector('.bullets')!;
    expect(list.compareDocumentPosition(alert) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  });
});

describe('[TSK-17] accepted terms', () => {
  it('are listed with their texts, and have a form to withdraw each that is not withdrawn', async () => {
    await showFixture('manage-data-terms', 'en');
    const titles = [...document.querySelectorAll('details summary')].map(({ textContent }) => textContent);
    expect(titles).toEqual(['Conditions d’utilisation', 'Newsletter']);
    expect(screen.getByText(/^Accepted on 12 March 2026 \(version \u20663\u2069\) · withdrawn on 1 June 2026$/)).toBeTruthy();
    const buttons = screen.getAllByRole('button', { name: /^Withdraw the acceptance/ });
    const forms = buttons.map((button) => button.closest('form') ?? document.createElement('form'));
    expect(forms.map((form) => [form.getAttribute('action'), new FormData(form).get('key')])).toEqual([
      ['/manage/data?decision=withdraw', 'use'],
    ]);
  });
});

describe('[TSK-17] terms that wait for the acceptance', () => {
  it('are announced on the overview', async () => {
    await showFixture('manage-terms-open', 'de');
    expect(screen.getByText('Bedingungen warten auf Ihre Zustimmung')).toBeTruthy();
  });
});
