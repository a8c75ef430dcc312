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
        {fault.advice && <p>{fault.advice}</p>}
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
  advice?: string | undefined;
  /** The sentence of the server, if it refused the call with a code for which there are no words. */
  message?: string | undefined;
  requestId?: string | undefined;
}

/** @returns the words of an error in the operator's language; with the server's own sentence if a refusal has a code without words */
function useFault(error: unknown): FaultWords {
  const { t, i18n } = useTranslation();
  if (error instanceof UnreachableError) return { title: t('fault.unreachable'), advice: t('fault.unreachable_next') };
  if (!(error instanceof ApiError)) return { title: t('fault.unexpected'), advice: t('fault.unexpected_next') };
  const { code, status, message, hints } = error;
  const requestId = status >= 500 ? hints.requestId : undefined;
  const key = `fault.${code}`;
  if (code === 'limited') {
    const minutes = Math.max(1, Math.ceil((hints.retrySeconds ?? 60) / 60));
    return { title: t('fault.limited'), advice: t('fault.limited_next', { count: minutes }), requestId };
  }
  if (i18n.exists(key)) {
    const advice = i18n.exists(`${key}_next`) ? t(`${key}_next` as ParseKeys) : undefined;
    return { title: t(key as ParseKeys), advice, requestId };
  }
  if (status >= 500) return { title: t('fault.server'), advice: t('fault.server_next'), requestId };
  return { title: t('fault.refused'), message, requestId };
}
