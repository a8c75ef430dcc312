/** Says of an entry that it cannot be changed, and until when. */
import { Trans } from 'react-i18next';
import { Moment } from './moment.js';

/** @param moment ISO 8601, UTC */
export function LockedUntil({ moment }: { moment: string }) {
  return (
    <small>
      <Trans i18nKey="manage.locked_until" components={{ time: <Moment iso={moment} /> }} />
    </small>
  );
}
