/**
 * The end of a form of the account area. With script, saving is off until everything fits; without, the server looks.
 * Both buttons are always in the markup and the stylesheet shows one, so that the server need not know. The first one
 * also answers the Enter key.
 */
import { useTranslation } from 'react-i18next';
import { PATHS } from '../../../src/contract/paths.js';
import { SubmitButton } from '../form.js';

export function SaveOrCancel({ isReady }: { isReady: boolean }) {
  const { t } = useTranslation();
  const words = { label: t('area.save'), busyLabel: t('area.saving') };
  return (
    <div className="actions">
      <SubmitButton primary look="without-script" {...words} />
      <SubmitButton primary look="needs-script" disabled={!isReady} {...words} />
      <a className="btn quiet" href={PATHS.manage}>
        {t('area.cancel')}
      </a>
    </div>
  );
}
