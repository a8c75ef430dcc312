/** A group of rows: its name on the left where there is room, else above them. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageKey } from '../../i18n/phrase.js';

interface Props {
  /** Other pages lead to it. */
  id?: string;
  heading: MessageKey;
  /** Above the rows. */
  about?: string;
  below?: ReactNode;
  children: ReactNode;
}

export function Panel({ id, heading, about, below, children }: Props) {
  const { t } = useTranslation();
  return (
    <section className="panel" id={id}>
      <h2>{t(heading)}</h2>
      <div>
        {about !== undefined && <p className="quiet-text small">{about}</p>}
        <ul className="rows">{children}</ul>
        {below}
      </div>
    </section>
  );
}
