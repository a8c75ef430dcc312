/** The button of a row, as a plain form. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Form, SubmitButton } from '../form.js';

interface Props {
  action: string;
  hidden: Readonly<Record<string, string>>;
  label: string;
  /** Accessible name, which identifies the row of the button. */
  name: string;
  /** Further actions, shown before the button. */
  children?: ReactNode;
}

export function RowAction({ action, hidden, label, name, children }: Props) {
  const { t } = useTranslation();
  return (
    <div className={children ? 'row-actions' : 'row-actions beside'}>
      {children}
      <Form action={action} hidden={hidden}>
        <SubmitButton className="compact" label={label} name={name} busyLabel={t('app.one_moment')} />
      </Form>
    </div>
  );
}
