/** A native modal dialog: it keeps the focus inside, closes with Escape if it can be closed, and returns the focus. */
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CloseIcon } from './icons.js';

interface DialogProps {
  title: ReactNode;
  /** Absent if the dialog cannot be dismissed. */
  onClose?: (() => void) | undefined;
  /** Whether a call is running, during which the dialog stays open. */
  isBusy?: boolean;
  className?: string;
  children: ReactNode;
}

export function Dialog({ title, onClose, isBusy = false, className = '', children }: DialogProps) {
  const { t } = useTranslation();
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => openModal(ref.current), []);
  const isClosable = onClose !== undefined && !isBusy;
  return (
    <dialog
      ref={ref}
      className={`dialog ${className}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // A file picker inside also cancels, and its event bubbles.
        if (event.target !== ref.current) return;
        event.preventDefault();
        if (isClosable) onClose();
      }}
      onClose={() => {
        // Chromium closes the dialog at the second Escape in a row, although the event was prevented.
        if (ref.current === null || ref.current.open) return;
        if (isClosable) onClose();
        else ref.current.showModal();
      }}
    >
      <div className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        {onClose && (
          <button type="button" className="icon-button" onClick={onClose} disabled={isBusy} aria-label={t('dialog.close')}>
            <CloseIcon />
          </button>
        )}
      </div>
      {children}
    </dialog>
  );
}

/** @returns a function that closes the dialog and returns the focus */
function openModal(dialog: HTMLDialogElement | null): () => void {
  const previousElement = document.activeElement;
  dialog?.showModal();
  // With a keyboard the operator can type immediately; on a phone the on-screen keyboard would cover the dialog.
  if (matchMedia('(pointer: fine)').matches) dialog?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  return () => {
    dialog?.close();
    // Waits until the page is rendered again, because the action may have removed the row with its button.
    setTimeout(() => {
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (!isLost) return;
      const target =
        previousElement instanceof HTMLElement && previousElement.isConnected
          ? previousElement
          : document.querySelector<HTMLElement>('h1');
      target?.focus();
    }, 0);
  };
}
