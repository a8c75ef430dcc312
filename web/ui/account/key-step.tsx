/**
 * Asks for a security key as soon as the page is there, and again on demand (MAN-12). Without script it says why that
 * cannot be; the page around offers what else there is (GEN-9).
 */
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOnce } from '../../browser/once.js';
import { Notice } from '../notice.js';
import { FaultAlert, useFault } from './fault.js';
import type { FaultCode } from './fault.js';
import { Touch } from './touch.js';

export type KeyFailure = { code: FaultCode; retryAfterSeconds?: number };

interface Props {
  /** One try. @returns what went wrong; null when the page goes on by itself */
  ask: () => Promise<KeyFailure | null>;
  /** What the server found; then nothing is asked until somebody says so. */
  error: FaultCode | null;
  /** What can be done instead, where nothing works without script. */
  withoutScript: ReactNode;
  /** Beside the button that tries again. */
  abort: ReactNode;
  /** Other ways to the same end, while it waits as well as after it failed. */
  others?: ReactNode;
}

export function KeyStep({ ask, error, withoutScript, abort, others }: Props) {
  const { t } = useTranslation();
  const { fault, tell, clear } = useFault(error);
  const [asking, setAsking] = useState(error === null);
  const attempt = async () => {
    const failure = await ask();
    if (!failure) return;
    tell(failure);
    setAsking(false);
  };
  useOnce(() => {
    if (error === null) void attempt();
  });
  const retry = () => {
    clear();
    setAsking(true);
    void attempt();
  };
  return (
    <>
      <Notice tone="warning" look="without-script" message={t('factor.key_script')}>
        <p>
          {t('factor.key_script_why')} {withoutScript}
        </p>
      </Notice>
      <FaultAlert fault={fault} />
      {asking ? (
        <>
          <Touch />
          {others && <div className="tight">{others}</div>}
        </>
      ) : (
        <div className="actions">
          <button className="btn primary needs-script" type="button" onClick={retry}>
            {t('factor.retry')}
          </button>
          {others}
          {abort}
        </div>
      )}
    </>
  );
}
