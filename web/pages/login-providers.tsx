/** The links that sign in with a provider (LOG-2). The logos and colours of the providers are in the stylesheet. */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { LoginState } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { carryRemember } from '../browser/carry-remember.js';

/** @param isFirst true if the password form is not above the buttons */
export function LoginProviders({ login, isFirst = false }: { login: LoginState; isFirst?: boolean }) {
  const { t } = useTranslation();
  const { providers, login_challenge } = login;
  if (!providers) return null;
  return (
    <>
      {!isFirst && <p className="or">{t('login.or')}</p>}
      <div className="providers">
        {providers.map(({ id, name, brand }) => (
          <a
            key={id}
            className={brand ? `btn provider ${brand}` : 'btn'}
            href={`${PATHS.login}/${id}?${FIELDS.loginChallenge}=${encodeURIComponent(login_challenge)}`}
            onClick={carryRemember}
          >
            {brand && <span className="mark" />}
            <span>{t('login.with', { provider: name })}</span>
          </a>
        ))}
      </div>
    </>
  );
}
