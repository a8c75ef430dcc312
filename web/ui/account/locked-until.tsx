/** Shows until when an entry is locked. */
import { Moment } from './moment.js';
import { MarkedPhrase } from '../../i18n/marked-phrase.js';

/** @param moment ISO 8601, UTC */
export function LockedUntil({ moment }: { moment: string }) {
  return (
    <small>
      <MarkedPhrase i18nKey="manage.locked_until" components={{ time: <Moment iso={moment} /> }} />
    </small>
  );
}
