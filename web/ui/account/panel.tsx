/** A group of rows below a heading. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageKey } from '../../i18n/phrase.js';

interface Props {
  /** The target of links from other pages. */
  id?: string;
  heading: MessageKey;
  /** Shown above the rows. */
  introduction?: string;
  /** Shown below the rows. */
  footer?: ReactNode;
  children: ReactNode;
}

export function Panel({ id, heading, introduction, footer, children }: Props) {
  const { t } = useTranslation();
  return (
    <section className="panel" id={id}>
      <h2>{t(heading)}</h2>
      <div>
        {introduction !== undefined && <p className="quiet-text small">{introduction}</p>}
        <ul className="rows">{children}</ul>
        {footer}
      </div>
    </section>
  );
}
