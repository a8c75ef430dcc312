/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react';
import { I18nextProvider } from 'react-i18next';
import { getI18n } from '../fixtures/shipped-i18n.js';
import { Form, SubmitButton } from './form.js';
import { PasswordInput } from './password-input.js';

afterEach(cleanup);

function show() {
  const { container } = render(
    <I18nextProvider i18n={getI18n('en')}>
      <Form action="/there" className="flow" hidden={{ _xsrf: 'value', ticket: '' }}>
        <PasswordInput id="password" name="password" autoComplete="current-password" aria-label="Password" />
        <SubmitButton label="Deny" busyLabel="Denying" formAction="/elsewhere" />
        <SubmitButton primary label="Allow" busyLabel="Allowing" />
      </Form>
    </I18nextProvider>,
  );
  const form = container.querySelector('form');
  if (!form) throw new Error('There is no form.');
  return form;
}

/** @returns whether the browser would send the form */
function submit(form: HTMLFormElement, button: string): boolean {
  const event = createEvent.submit(form, { submitter: screen.getByRole('button', { name: button }) });
  Object.defineProperty(event, 'submitter', { value: screen.getByRole('button', { name: button }) });
  return fireEvent(form, event);
}

/** Goes back to the page. @param persisted true if the browser restores it from the back/forward cache */
function goBack(persisted: boolean): void {
  act(() => {
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
  });
}

describe('a form', () => {
  it('[GEN-9] posts without script, and leaves out empty hidden fields', () => {
    const form = show();
    expect(form.method).toBe('post');
    expect(form.getAttribute('action')).toBe('/there');
    expect([...new FormData(form).keys()]).toEqual(['_xsrf', 'password']);
  });

  it('[LOG-14] is sent once, and the pressed button shows that it is busy', () => {
    const form = show();
    expect(submit(form, 'Allow')).toBe(true);
    const busyButton = screen.getByRole('button', { name: 'Allowing' });
    expect(busyButton.getAttribute('aria-busy')).toBe('true');
    expect(busyButton.querySelector('.spinner')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Deny' }).getAttribute('aria-disabled')).toBe('true');
    expect(submit(form, 'Deny')).toBe(false);
  });

  it('keeps the width of the pressed button while its label is different', () => {
    const form = show();
    const button = screen.getByRole('button', { name: 'Allow' });
    Object.defineProperty(button, 'offsetWidth', { value: 150 });
    submit(form, 'Allow');
    expect(button.style.minInlineSize || button.style.getPropertyValue('min-inline-size')).toBe('150px');
    goBack(true);
    expect(button.getAttribute('style') ?? '').toBe('');
  });

  it('can be sent again when the page is restored from the history', () => {
    const form = show();
    submit(form, 'Deny');
    goBack(false);
    expect(screen.getByRole('button', { name: 'Denying' })).toBeTruthy();
    goBack(true);
    expect(screen.getByRole('button', { name: 'Deny' }).hasAttribute('aria-busy')).toBe(false);
    expect(submit(form, 'Allow')).toBe(true);
  });

  it('shows the password on demand and hides it when the form is sent', () => {
    const form = show();
    const field = screen.getByLabelText<HTMLInputElement>('Password');
    const peek = screen.getByRole('button', { name: 'Show password' });
    fireEvent.click(peek);
    expect([field.type, peek.getAttribute('aria-pressed')]).toEqual(['text', 'true']);
    submit(form, 'Allow');
    expect([field.type, peek.getAttribute('aria-pressed')]).toEqual(['password', 'false']);
  });
});
