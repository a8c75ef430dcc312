/** The button for a sign-in with a passkey. What talks to the browser is loaded when the page is there. */
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LoginState } from '../../src/contract/page-state.js';
import { useOnce } from '../browser/once.js';

export function LoginPasskey({ passkey }: { passkey: NonNullable<LoginState['passkey']> }) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const [isRefused, setRefused] = useState(false);
  useOnce(() => {
    void import('../browser/passkey.js').then(({ offerPasskey }) => {
      if (button.current) offerPasskey(button.current, passkey, () => setRefused(true));
    });
  });
  return (
    <>
      <button ref={button} className={`btn needs-script${passkey.first ? ' primary' : ''}`} type="button">
        {t('login.passkey')}
      </button>
      <p role="status">{isRefused && t('login.passkey_none')}</p>
    </>
  );
}
