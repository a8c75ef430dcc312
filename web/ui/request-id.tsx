/** The id with which support finds the refused request in the audit log. */
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
