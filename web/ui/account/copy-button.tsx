/** The button that copies a text. It confirms the copy, or a text beside it says that the browser refused. Hidden without script. */
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../browser/copy.js';
import type { MessageKey } from '../../i18n/phrase.js';
import { CheckIcon, CopyIcon } from './icons.js';

export function CopyButton({ value, label }: { value: string; label: MessageKey }) {
  const { t } = useTranslation();
  const { result, copy } = useCopy(value);
  const press = ({ currentTarget: button }: MouseEvent<HTMLButtonElement>) => {
    // Keeps the width, because the confirmation may be shorter and the elements beside the button would move.
    button.style.setProperty('min-inline-size', `${button.offsetWidth}px`);
    copy();
  };
  return (
    <>
      <button className="btn compact needs-script" type="button" onClick={press}>
        {result === 'copied' ? <CheckIcon /> : <CopyIcon />}
        {t(result === 'copied' ? 'factor.copied' : label)}
      </button>
      <span className={result === 'refused' ? 'small' : 'sr'} role="status">
        {result === 'copied' && t('factor.copied')}
        {result === 'refused' && t('factor.copy_refused')}
      </span>
    </>
  );
}
