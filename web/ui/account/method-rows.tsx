/** A list of factors to verify or to enrol; each row is a link. */
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageKey } from '../../i18n/phrase.js';
import { GoIcon } from '../icons.js';

export interface MethodRow {
  name: string;
  Icon: ComponentType;
  href: string;
  title: MessageKey;
  text: MessageKey;
}

export function MethodRows({ rows }: { rows: readonly MethodRow[] }) {
  const { t } = useTranslation();
  return (
    <ul className="rows boxed">
      {rows.map((row) => {
        const { Icon } = row;
        return (
          <li key={row.name}>
            <a className="row" href={row.href}>
              <Icon />
              <span className="what">
                <b>{t(row.title)}</b>
                <small>{t(row.text)}</small>
              </span>
              <GoIcon />
            </a>
          </li>
        );
      })}
    </ul>
  );
}
