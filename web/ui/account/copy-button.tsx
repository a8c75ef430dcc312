/** Copies a text and says that it did; without script there is the text itself. */
import { useCopy } from '../../browser/copy.js';
import type { MessageKey } from '../../phrases/phrase.js';
import { usePhrases } from '../../phrases/say.js';
import { CheckIcon, CopyIcon } from './icons.js';

export function CopyButton({ value, label }: { value: string; label: MessageKey }) {
  const { text } = usePhrases();
  const { copied, copy } = useCopy(value);
  return (
    <>
      <button className="btn compact needs-script" type="button" onClick={copy}>
        {copied === 'copied' ? <CheckIcon /> : <CopyIcon />}
        {text(copied === 'copied' ? 'factor.copied' : label)}
      </button>
      <span className="sr" role="status">
        {copied === 'copied' && text('factor.copied')}
        {copied === 'refused' && text('factor.copy_refused')}
      </span>
    </>
  );
}
