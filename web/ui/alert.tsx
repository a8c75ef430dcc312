/**
 * The red box of an error on the page it belongs to (ERR-2): the exact message, what to do next, its code for machines.
 * It takes the focus when the page opens, so that a screen reader begins there; the attribute does it without a script
 * and leaves somebody alone who already types.
 */
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageKey, Values } from '../i18n/phrase.js';
import { DangerIcon, InfoIcon } from './icons.js';

/** Fields that have no text of their own point here by `aria-describedby`. */
export const ALERT_ID = 'alert';

interface ErrorProps {
  code: string;
  message: MessageKey;
  /** Of the message. */
  values?: Values;
  /** Nothing went wrong. */
  calm?: boolean;
  /** It came while the page was open, so the browser does not see `autofocus`. */
  live?: boolean;
  children?: ReactNode;
}

export function ErrorAlert({ code, message, values = {}, calm = false, live = false, children }: ErrorProps) {
  const { t } = useTranslation();
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (live) alert.current?.focus();
  }, [live]);
  return (
    <div
      ref={alert}
      className={calm ? 'alert info' : 'alert danger'}
      id={ALERT_ID}
      role="alert"
      tabIndex={-1}
      autoFocus
      data-code={code}
    >
      {calm ? <InfoIcon /> : <DangerIcon />}
      <div>
        <strong>{t(message, values)}</strong>
        {children}
      </div>
    </div>
  );
}
