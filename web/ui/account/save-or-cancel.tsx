/**
 * The end of a form of the account area. With script, saving is off until everything fits; without, the server looks.
 * Both buttons are always in the markup and the stylesheet shows one, so that the server need not know. The first one
 * also answers the Enter key.
 */
import { PATHS } from '../../../src/contract/paths.js';
import { usePhrases } from '../../phrases/say.js';
import { SubmitButton } from '../form.js';

export function SaveOrCancel({ isReady }: { isReady: boolean }) {
  const { text } = usePhrases();
  const words = { label: text('area.save'), busyLabel: text('area.saving') };
  return (
    <div className="actions">
      <SubmitButton primary look="without-script" {...words} />
      <SubmitButton primary look="needs-script" disabled={!isReady} {...words} />
      <a className="btn quiet" href={PATHS.manage}>
        {text('area.cancel')}
      </a>
    </div>
  );
}
