/** The id with which somebody who helps finds in the audit log what was refused. */
import { useTranslation } from 'react-i18next';

export function RequestId({ id }: { id: string | undefined }) {
  const { t } = useTranslation();
  if (id === undefined) return null;
  return (
    <p className="small quiet-text">
      {t('facts.request_id')}: <bdi>{id}</bdi>
    </p>
  );
}
