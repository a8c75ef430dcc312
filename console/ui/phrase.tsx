/**
 * A phrase with elements in place of its variables. i18next can insert only texts, but names need a text direction of their own, and a
 * time needs a tooltip.
 */
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PhraseKey } from '../i18n/i18n.js';

interface PhraseProps {
  phrase: PhraseKey;
  values: Readonly<Record<string, ReactNode>>;
  count?: number;
}

export function Phrase({ phrase, values, count }: PhraseProps) {
  const { t } = useTranslation();
  const text = t(phrase, { skipInterpolation: true, ...(count === undefined ? {} : { count }) });
  const parts = text.split(/\{\{(\w+)\}\}/);
  return parts.map((part, index) => <Fragment key={index}>{index % 2 === 0 ? part : values[part]}</Fragment>);
}
