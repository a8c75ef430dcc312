/** The button that signs in with a passkey. The code that calls the browser's API is loaded after hydration. */
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LoginState } from '../../src/contract/page-state.js';
import { useOnce } from '../browser/once.js';

export function LoginPasskey({ passkey }: { passkey: NonNullable<LoginState['passkey']> }) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const [isRefused, setRefused] = useState(false);
  // If the button is pressed before the code is loaded, the press waits for this promise.
  const handler = useRef<Promise<() => void>>(null);
  useOnce(() => {
    const element = button.current;
    if (!element) return;
    const refuse = () => setRefused(true);
    handler.current = import('../browser/passkey.js').then(
      ({ offerPasskey }) => offerPasskey(element, passkey, refuse),
      // The code could not be loaded: each press says that nobody is signed in.
      () => refuse,
    );
  });
  const press = () => {
    setRefused(false);
    void handler.current?.then((ask) => ask());
  };
  return (
    <>
      <button ref={button} className={`btn needs-script${passkey.first ? ' primary' : ''}`} type="button" onClick={press}>
        {t('login.passkey')}
      </button>
      {isRefused && <p role="alert">{t('login.passkey_none')}</p>}
    </>
  );
}
