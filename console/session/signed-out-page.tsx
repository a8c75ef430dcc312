/** The page after the operator has signed out of the console. */
import { useTranslation } from 'react-i18next';
import { PlainPage } from '../shell/plain-page.js';
import { PageHeading } from '../ui/page-heading.js';
import { PATHS, buildSignInUrl } from './session.js';

export function SignedOutPage() {
  const { t } = useTranslation();
  return (
    <PlainPage>
      <PageHeading title={t('signed_out.title')} />
      <p>{t('signed_out.text')}</p>
      <a className="button primary" href={buildSignInUrl(`${PATHS.base}/`)}>
        {t('sign_in.again')}
      </a>
    </PlainPage>
  );
}
