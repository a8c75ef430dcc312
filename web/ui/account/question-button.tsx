/** A button that asks a question before its form is posted. It works without script. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageKey } from '../../i18n/phrase.js';
import { Form, SubmitButton } from '../form.js';
import { Opens } from './opens.js';

interface Props {
  action: string;
  hidden: Readonly<Record<string, string>>;
  /** Text of the button while the question is closed. */
  label: ReactNode;
  /** Text of the button that closes the question again. */
  keep?: MessageKey;
  question: string;
  /** Text of the button that posts the form; `busy` is its text while the form is sent. */
  now: MessageKey;
  busy?: MessageKey;
}

export function AskFirst({ action, hidden, label, keep = 'settings.cancel', question, now, busy = 'app.one_moment' }: Props) {
  const { t } = useTranslation();
  const summary = (
    <>
      <span className="if-closed">{label}</span>
      <span className="if-open">{t(keep)}</span>
    </>
  );
  return (
    <Opens className="btn compact" summary={summary}>
      <Form className="stack" action={action} hidden={hidden}>
        <p>{question}</p>
        <div className="actions">
          <SubmitButton primary className="danger" label={t(now)} busyLabel={t(busy)} />
        </div>
      </Form>
    </Opens>
  );
}
