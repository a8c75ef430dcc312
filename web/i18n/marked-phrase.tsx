/** A phrase that contains elements: `<name>words</name>` and `<name/>` stand for the component of that name. */
import { cloneElement, type ReactElement, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageKey } from './phrase.js';

interface Props {
  /** Key of a phrase without variables: their values would be searched for elements, so values are passed as `Isolated` elements. */
  i18nKey: MessageKey;
  components?: Readonly<Record<string, ReactElement>>;
}

const PARTS = /<(\w+)(?:\/>|>(.*?)<\/\1>)|[^<]+/g;

export function MarkedPhrase({ i18nKey, components = {} }: Props) {
  const { t } = useTranslation();
  return toParts(t(i18nKey), components);
}

function toParts(text: string, components: NonNullable<Props['components']>): ReactNode[] {
  return [...text.matchAll(PARTS)].map(([part, name = '', inner], index) => {
    const element = components[name];
    if (!element) return part;
    return cloneElement(element, { key: index }, ...(inner === undefined ? [] : toParts(inner, components)));
  });
}
