/** A row of the account area that links to a page, or shows until when it is locked. */
import { createContext, useContext, type ComponentType, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageKey } from '../../i18n/phrase.js';
import { GoIcon, WarningIcon } from '../icons.js';
import { LockedUntil } from './locked-until.js';

/** Path of the row that was just changed. The row is marked, and the banner describes the change. */
export const ChangedPath = createContext<string | undefined>(undefined);

export interface SettingsRowProps {
  Icon: ComponentType;
  href: string;
  title: MessageKey;
  value: ReactNode;
  /** Present while the row is locked. ISO 8601, UTC. */
  frozenUntil?: string | undefined;
  /** A label with the state of the row. */
  tag?: ReactNode;
  /** True if the value needs attention. */
  warns?: boolean;
}

export function SettingsRow({ Icon, href, title, value, frozenUntil, tag, warns = false }: SettingsRowProps) {
  const { t } = useTranslation();
  const isChanged = useContext(ChangedPath) === href;
  const content = (
    <>
      <Tile Icon={Icon} />
      <span className="what">
        <b>{t(title)}</b>
        {tag && ' '}
        {tag}
        <small className={warns ? 'warns' : undefined}>
          {warns && <WarningIcon />}
          {value}
        </small>
        {frozenUntil !== undefined && <LockedUntil moment={frozenUntil} />}
      </span>
    </>
  );
  if (frozenUntil !== undefined) return <li className="row">{content}</li>;
  return (
    <li>
      <a className={isChanged ? 'row changed' : 'row'} href={href}>
        {content}
        <GoIcon />
      </a>
    </li>
  );
}

export function Tile({ Icon }: Pick<SettingsRowProps, 'Icon'>) {
  return (
    <span className="tile">
      <Icon />
    </span>
  );
}
