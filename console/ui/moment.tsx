/** Times in words, with the exact time in UTC as a tooltip. */
import { useTranslation } from 'react-i18next';
import { toDateTag } from '../i18n/i18n.js';
import { formatDay, formatMoment } from './dates.js';

interface MomentProps {
  at: string;
  hasSeconds?: boolean;
  /** Whether the time begins a line and therefore has a capital letter. */
  isFirst?: boolean;
}

export function Moment({ at, hasSeconds = false, isFirst = false }: MomentProps) {
  const { t, i18n } = useTranslation();
  const words = { today: t('date.today'), yesterday: t('date.yesterday'), tomorrow: t('date.tomorrow') };
  const tag = toDateTag(i18n.language);
  const text = formatMoment(at, { tag, ...words, hasSeconds });
  return (
    <time dateTime={at} title={at}>
      {isFirst ? text.charAt(0).toLocaleUpperCase(tag) + text.slice(1) : text}
    </time>
  );
}

export function Day({ at }: { at: string }) {
  const { i18n } = useTranslation();
  return (
    <time dateTime={at} title={at}>
      {formatDay(at, toDateTag(i18n.language))}
    </time>
  );
}
