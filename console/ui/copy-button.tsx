/** Copies a text to the clipboard, and reports whether it worked. */
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CheckIcon, CopyIcon } from './icons.js';

/** How long the button confirms the copy before it shows its label again. */
const CONFIRMATION_MS = 4_000;

interface CopyButtonProps {
  text: string;
  /** Names the action, such as “Copy the command”: for screen readers, and as the text of a button with text. */
  label: string;
  isIcon?: boolean;
  isPrimary?: boolean;
}

export function CopyButton({ text, label, isIcon = false, isPrimary = false }: CopyButtonProps) {
  const { t } = useTranslation();
  const { state, copy } = useCopy(text);
  const message = state === 'copied' ? t('copy.copied') : state === 'refused' ? t('copy.refused') : label;
  return (
    <>
      <button
        type="button"
        className={isIcon ? 'icon-button small' : `button ${isPrimary ? 'primary' : ''}`}
        onClick={copy}
        {...(isIcon ? { 'aria-label': label, title: message } : {})}
      >
        {state === 'copied' ? <CheckIcon /> : <CopyIcon />}
        {!isIcon && message}
      </button>
      <span className="only-heard" role="status">
        {state === 'ready' ? '' : message}
      </span>
    </>
  );
}

function useCopy(text: string): { state: 'ready' | 'copied' | 'refused'; copy: () => void } {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready');
  useEffect(() => {
    if (state !== 'copied') return;
    const timer = setTimeout(() => setState('ready'), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    writeToClipboard(text).then(
      () => setState('copied'),
      () => setState('refused'),
    );
  };
  return { state, copy };
}

/** Rejects, and does not throw, if the clipboard is missing because the context is not secure. */
async function writeToClipboard(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}
