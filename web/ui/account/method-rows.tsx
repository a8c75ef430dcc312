/** A list of factors to verify or to enrol; each row is a link. */
import { useTranslation } from 'react-i18next';
import type { MessageKey } from '../../i18n/phrase.js';
import { GoIcon } from '../icons.js';
import { CodesIcon, KeyIcon, PasswordIcon, PhoneIcon } from './icons.js';

const ICONS = { totp: PhoneIcon, fido2: KeyIcon, recovery: CodesIcon, password: PasswordIcon };

export interface MethodRow {
  method: keyof typeof ICONS;
  href: string;
  title: MessageKey;
  text: MessageKey;
}

export function MethodRows({ rows }: { rows: readonly MethodRow[] }) {
  const { t } = useTranslation();
  return (
    <ul className="rows boxed">
      {rows.map((row) => {
        const Icon = ICONS[row.method];
        return (
          <li key={row.method}>
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
