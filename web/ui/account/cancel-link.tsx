import { useTranslation } from 'react-i18next';
import { PATHS } from '../../../src/contract/paths.js';

/** Leaves a form of the account area. */
export function CancelLink() {
  const { t } = useTranslation();
  return (
    <a className="btn quiet" href={PATHS.manage}>
      {t('settings.cancel')}
    </a>
  );
}
