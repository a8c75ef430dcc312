/** The name of a right, and the rights of an operator as a list. */
import { useTranslation } from 'react-i18next';
import type { PhraseKey } from '../i18n/i18n.js';

/** The rights, in the order in which a dialog offers them. */
export const RIGHTS = ['read', 'auditor', 'support', 'admin'] as const;
export type Right = (typeof RIGHTS)[number];

const NAMES: Readonly<Record<Right, PhraseKey>> = {
  read: 'right.read',
  auditor: 'right.auditor',
  support: 'right.support',
  admin: 'right.admin',
};

const TEXTS: Readonly<Record<Right, PhraseKey>> = {
  read: 'right.read_text',
  auditor: 'right.auditor_text',
  support: 'right.support_text',
  admin: 'right.admin_text',
};

/** @returns a function that names a right of the API; a right of a newer server keeps its own name */
export function useRightName(): (right: string) => string {
  const { t } = useTranslation();
  return (right) => {
    const knownRight = RIGHTS.find((one) => one === right);
    return knownRight ? t(NAMES[knownRight]) : right;
  };
}

/** @param hasText whether to add what the right allows */
export function RightName({ right, hasText = false }: { right: string; hasText?: boolean }) {
  const { t } = useTranslation();
  const name = useRightName();
  const knownRight = RIGHTS.find((one) => one === right);
  if (!knownRight || !hasText) return name(right);
  return (
    <>
      <b>{name(right)}</b> <span className="muted">{t(TEXTS[knownRight])}</span>
    </>
  );
}

/** The rights of an operator, one on each line, with what they allow. */
export function RightList({ rights }: { rights: readonly string[] }) {
  return (
    <ul className="menu-rights">
      {rights.map((right) => (
        <li key={right}>
          <RightName right={right} hasText />
        </li>
      ))}
    </ul>
  );
}
