/** An alert that states what went wrong with a call, and what to do next. */
import { useTranslation } from 'react-i18next';
import type { ParseKeys } from 'i18next';
import { ApiError, UnreachableError } from '../api/api-error.js';
import { DangerIcon } from './icons.js';
import { UserText } from './user-text.js';

interface FaultAlertProps {
  error: unknown;
  onRetry?: (() => void) | undefined;
}

export function FaultAlert({ error, onRetry }: FaultAlertProps) {
  const { t } = useTranslation();
  const fault = useFault(error);
  return (
    <div className="alert danger" role="alert">
      <DangerIcon />
      <div className="alert-text">
        <strong>{fault.title}</strong>
        {fault.next && <p>{fault.next}</p>}
        {fault.message && (
          <p>
            <UserText text={fault.message} />
          </p>
        )}
        {fault.requestId && (
          <p className="muted">
            {t('fault.request')} <code>{fault.requestId}</code>
          </p>
        )}
        {onRetry && (
          <button type="button" className="button" onClick={onRetry}>
            {t('fault.retry')}
          </button>
        )}
      </div>
    </div>
  );
}

interface FaultWords {
  title: string;
  next?: string | undefined;
  /** The sentence of the server, if there are no words for its code. */
  message?: string | undefined;
  requestId?: string | undefined;
}

/** @returns the words of an error in the operator's language; the server's own sentence if there are no words for its code */
function useFault(error: unknown): FaultWords {
  const { t, i18n } = useTranslation();
  if (error instanceof UnreachableError) return { title: t('fault.unreachable'), next: t('fault.unreachable_next') };
  if (!(error instanceof ApiError)) return { title: t('fault.unexpected'), next: t('fault.unexpected_next') };
  const { code, status, message, hints } = error;
  const requestId = status >= 500 ? hints.requestId : undefined;
  const key = `fault.${code}`;
  if (code === 'limited') {
    const minutes = Math.max(1, Math.ceil((hints.retrySeconds ?? 60) / 60));
    return { title: t('fault.limited'), next: t('fault.limited_next', { count: minutes }), requestId };
  }
  if (i18n.exists(key)) {
    const next = i18n.exists(`${key}_next`) ? t(`${key}_next` as ParseKeys) : undefined;
    return { title: t(key as ParseKeys), next, requestId };
  }
  if (status >= 500) return { title: t('fault.server'), next: t('fault.server_next'), requestId };
  return { title: t('fault.refused'), message, requestId };
}
