/** One factor that is set up. Removing it is asked about in place, by a part of the page that opens without script too. */
import type { ComponentType, ReactNode } from 'react';
import { phrase } from '../phrases/phrase.js';
import { usePhrases } from '../phrases/say.js';
import { longDate } from '../ui/account/dates.js';
import { Form, SubmitButton } from '../ui/form.js';

interface Props {
  Icon: ComponentType;
  name: string;
  dates: { created_at: string; last_used_at: string | null };
  action: string;
  hidden: Readonly<Record<string, string>>;
  /** What the row offers beside. */
  children?: ReactNode;
}

export function FactorRow({ Icon, name, dates, action, hidden, children }: Props) {
  const { text, locale } = usePhrases();
  const used = dates.last_used_at;
  return (
    <li>
      <details className="opens">
        <summary className="row wraps">
          <Icon />
          <span className="what">
            <b>
              <bdi>{name}</bdi>
            </b>
            <small>{text(phrase('manage_mfa.added', { day: longDate(dates.created_at, locale) }))}</small>
            <small>{used ? text(phrase('manage_mfa.used', { day: longDate(used, locale) })) : text('manage_mfa.unused')}</small>
          </span>
          <span>
            <span className="btn danger compact if-closed">{text('manage_mfa.remove')}</span>
            <span className="btn compact if-open">{text('manage_mfa.keep')}</span>
          </span>
        </summary>
        <Form className="stack" action={action} hidden={hidden}>
          <p>{text(phrase('manage_mfa.remove_question', { name }))}</p>
          <div className="actions">
            <SubmitButton primary look="danger" label={text('manage_mfa.remove_now')} busyLabel={text('manage_mfa.removing')} />
          </div>
        </Form>
      </details>
      {children}
    </li>
  );
}
