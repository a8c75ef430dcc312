/**
 * The ways to sign in while passwords are not accepted (LOG-17). They depend only on the installation and on whether the username or the
 * network is limited, so that the page reveals nothing about the account.
 */
import { useTranslation } from 'react-i18next';
import type { LoginState } from '../../src/contract/page-state.js';
import { keepUsername } from '../browser/kept-username.js';
import { LoginPasskey } from './login-passkey.js';
import { LoginProviders } from './login-providers.js';

export const hasWays = ({ limited, passkey, providers, password_reset_url: resetUrl }: LoginState) =>
  limited && ((limited === 'account' && passkey) || providers || resetUrl);

export function LoginWays({ login }: { login: LoginState }) {
  const { t } = useTranslation();
  if (!hasWays(login)) return null;
  const { limited, passkey, providers, password_reset_url: resetUrl } = login;
  const classSuffix = providers || resetUrl ? '' : ' needs-script';
  return (
    <>
      <div className={`tight${classSuffix}`}>
        <p>{t('login.ways')}</p>
        {limited === 'account' && passkey && <LoginPasskey passkey={passkey} />}
        <LoginProviders login={login} isFirst />
        {resetUrl && (
          <a className="btn" href={resetUrl} onClick={keepUsername}>
            {t('login.reset_by_mail')}
          </a>
        )}
      </div>
      <p className={`or${classSuffix}`}>{t('login.or')}</p>
    </>
  );
}
