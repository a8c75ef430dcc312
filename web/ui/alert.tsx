/**
 * The error box (ERR-2): message, next step, code for machines. It gets the focus when the page opens, so that a screen
 * reader starts there. If one field must be filled in again, that field gets the focus instead. The attribute `autofocus` works
 * without script and does not interrupt typing.
 */
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorTitle } from '../browser/view-change.js';
import type { MessageKey, Values } from '../i18n/phrase.js';
import { DangerIcon, InfoIcon } from './icons.js';

/** Id of the alert, for the `aria-describedby` of fields without an error text. */
export const ALERT_ID = 'alert';

interface ErrorProps {
  code: string;
  message: MessageKey;
  /** Values of the message. */
  values?: Values;
  /** `info` is for information that is not an error; `warning` is for a failure that nobody has caused. */
  tone?: 'danger' | 'info' | 'warning';
  /** True if the alert appears after the page was opened, when browsers ignore `autofocus`. */
  live?: boolean;
  /** True if a field below gets the focus instead of the alert. */
  aboutField?: boolean;
  children?: ReactNode;
}

export function ErrorAlert({
  code,
  message,
  values = {},
  tone = 'danger',
  live = false,
  aboutField = false,
  children,
}: ErrorProps) {
  const { t } = useTranslation();
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (live && !aboutField) alert.current?.focus();
  }, [live, aboutField]);
  useErrorTitle(live && tone === 'danger' ? t('app.error_title', { title: '' }) : null);
  return (
    <div
      ref={alert}
      className={`alert ${tone}`}
      id={ALERT_ID}
      role="alert"
      tabIndex={-1}
      autoFocus={!aboutField}
      data-code={code}
    >
      {tone === 'danger' ? <DangerIcon /> : <InfoIcon />}
      <div>
        <strong>{t(message, values)}</strong>
        {children}
      </div>
    </div>
  );
}
