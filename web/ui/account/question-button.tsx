/** A button that asks a question before its form is posted. It works without script. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageKey } from '../../i18n/phrase.js';
import { Form, SubmitButton } from '../form.js';
import { Disclosure } from './disclosure.js';

interface Props {
  action: string;
  hidden: Readonly<Record<string, string>>;
  /** Text of the button while the question is closed. */
  label: ReactNode;
  /** Text of the button that closes the question again. */
  closeLabel?: MessageKey;
  question: string;
  /** Text of the button that posts the form; `busyLabel` is its text while the form is sent. */
  submitLabel: MessageKey;
  busyLabel?: MessageKey;
}

export function QuestionButton({
  action,
  hidden,
  label,
  closeLabel = 'settings.cancel',
  question,
  submitLabel,
  busyLabel = 'app.one_moment',
}: Props) {
  const { t } = useTranslation();
  const summary = (
    <>
      <span className="if-closed">{label}</span>
      <span className="if-open">{t(closeLabel)}</span>
    </>
  );
  return (
    <Disclosure className="btn compact" summary={summary}>
      <Form className="stack" action={action} hidden={hidden}>
        <p>{question}</p>
        <div className="actions">
          <SubmitButton primary className="danger" label={t(submitLabel)} busyLabel={t(busyLabel)} />
        </div>
      </Form>
    </Disclosure>
  );
}
