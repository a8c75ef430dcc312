import { useTranslation } from 'react-i18next';
import { PATHS } from '../../../src/contract/paths.js';

/** The link that leaves a form of the account area without a change. */
export function CancelLink() {
  const { t } = useTranslation();
  return (
    <a className="btn quiet" href={PATHS.manage}>
      {t('settings.cancel')}
    </a>
  );
}
