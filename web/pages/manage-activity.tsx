/** The last security events of the account, by day. */
import { useTranslation } from 'react-i18next';
import { MANAGE_QUERY } from '../../src/contract/form-fields.js';
import type { ActivityState } from '../../src/contract/manage-data-state.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { enrollableNamed } from '../factors/registry.js';
import { MarkedPhrase } from '../i18n/marked-phrase.js';
import { phrase } from '../i18n/phrase.js';
import type { MessageKey } from '../i18n/phrase.js';
import { DOT, clockTime, weekday } from '../ui/account/dates.js';
import { LastChange } from '../ui/account/last-change.js';
import { BACK_TO_SETTINGS } from '../ui/account/manage-frame.js';
import { useTimeZone } from '../ui/account/moment.js';
import { Heading } from '../ui/heading.js';
import { ACTIVITY_WORDS } from './activity-words.js';

export const heading = (_: PageOf<'manage_activity'>) => phrase('manage_activity.heading');

export function Page({ state }: { state: PageOf<'manage_activity'> }) {
  const { t } = useTranslation();
  const { entries, is_continued: isContinued } = state.manage_activity;
  const timeZone = useTimeZone();
  const days = byDay(entries, (at) => weekday(at, t('language.dates'), timeZone));
  return (
    <div className="flow">
      <Heading heading={heading(state)} back={BACK_TO_SETTINGS}>
        <p>{t('manage_activity.text')}</p>
      </Heading>
      <LastChange frame={state} />
      <p className="quiet-text small">
        <MarkedPhrase
          i18nKey="manage_activity.not_you"
          components={{ password: <a href={PATHS.managePassword} />, devices: <a href={PATHS.manageDevices} /> }}
        />
      </p>
      <div>
        {days.map(([day, ofDay]) => (
          <section className="panel" key={day}>
            <h2>{day}</h2>
            <div>
              <ul className="rows">
                {ofDay.map((entry) => (
                  <Entry key={entry.id} entry={entry} timeZone={timeZone} />
                ))}
              </ul>
            </div>
          </section>
        ))}
        {entries.length === 0 && <p>{t(isContinued ? 'manage_activity.none_older' : 'manage_activity.none')}</p>}
      </div>
      <Pages state={state} />
    </div>
  );
}

function Pages({ state }: { state: PageOf<'manage_activity'> }) {
  const { t } = useTranslation();
  const { next_cursor: next, is_continued: isContinued } = state.manage_activity;
  if (next === undefined && !isContinued) return null;
  return (
    <div className="actions">
      {next !== undefined && (
        <a className="btn" href={`${PATHS.manageActivity}?${MANAGE_QUERY.cursor}=${encodeURIComponent(next)}`}>
          {t('manage_activity.older')}
        </a>
      )}
      {isContinued && (
        <a className="btn quiet" href={PATHS.manageActivity}>
          {t('manage_activity.newest')}
        </a>
      )}
    </div>
  );
}

function Entry({ entry, timeZone }: { entry: ActivityState; timeZone: 'UTC' | undefined }) {
  const { t } = useTranslation();
  const { activity, at, about, browser, network } = entry;
  // The title says it.
  const factor = activity === 'code-used' || activity === 'codes-made' ? undefined : factorWords(entry.factor);
  const from = network && t(entry.is_this_network ? 'manage_activity.from_here' : 'manage_activity.from', { network });
  const details = [factor && t(factor), entry.by_operator && t('manage_activity.by_operator'), browser, from].filter(Boolean);
  return (
    <li className="row wraps">
      <span className="what">
        <b>{t(ACTIVITY_WORDS[activity])}</b>
        <small>
          <time dateTime={at}>{clockTime(at, t('language.dates'), timeZone)}</time>
          {about !== undefined && (
            <>
              {DOT}
              <bdi>{about}</bdi>
            </>
          )}
        </small>
        {details.length > 0 && <small>{details.join(DOT)}</small>}
      </span>
    </li>
  );
}

function factorWords(name: string | undefined): MessageKey | undefined {
  if (name === 'recovery') return 'factor.codes';
  return name === undefined ? undefined : enrollableNamed(name)?.setUp.overview.heading;
}

/** @returns the days in the order of their entries */
function byDay(entries: readonly ActivityState[], dayOf: (at: string) => string): [string, ActivityState[]][] {
  const days = new Map<string, ActivityState[]>();
  for (const entry of entries) days.set(dayOf(entry.at), [...(days.get(dayOf(entry.at)) ?? []), entry]);
  return [...days];
}
