/** @jest-environment jsdom */
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { Dialog } from './dialog.js';

describe('a dialog that the browser closes, as Chromium does at the second Escape in a row', () => {
  beforeAll(startConsolePhrases);
  beforeAll(() => {
    // The environment has no modal dialogs, and no `matchMedia`.
    Object.assign(window, { matchMedia: () => ({ matches: false }) });
    Object.assign(HTMLDialogElement.prototype, {
      showModal(this: HTMLDialogElement) {
        this.open = true;
      },
      close(this: HTMLDialogElement) {
        this.open = false;
      },
    });
  });
  afterEach(cleanup);

  function closeInBrowser(dialog: HTMLDialogElement): void {
    act(() => {
      dialog.open = false;
      dialog.dispatchEvent(new Event('close'));
    });
  }

  it.each([
    ['cannot be dismissed', undefined, false],
    ['waits for a call', jest.fn(), true],
  ])('opens again while it %s', (_, onClose, isBusy) => {
    const { container } = render(
      <Dialog title="Sign in" onClose={onClose} isBusy={isBusy}>
        text
      </Dialog>,
    );
    const dialog = container.querySelector('dialog')!;
    closeInBrowser(dialog);
    expect(dialog.open).toBe(true);
    if (onClose) expect(onClose).not.toHaveBeenCalled();
  });

  it('tells the page that it was closed', () => {
    const onClose = jest.fn();
    const { container } = render(
      <Dialog title="Save" onClose={onClose}>
        text
      </Dialog>,
    );
    closeInBrowser(container.querySelector('dialog')!);
    expect(onClose).toHaveBeenCalledTimes(1);
  });
});
