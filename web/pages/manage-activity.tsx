/** The security events of the account, newest first, grouped by day and split into pages. */
import { useTranslation } from 'react-i18next';
import { ACTIVITY_GROUPS, findActivityGroup, type ActivityGroup } from '../../src/contract/manage-data-state.js';
import { MANAGE_QUERY } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { findEnrollable } from '../factors/registry.js';
import { MarkedPhrase } from '../i18n/marked-phrase.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { DOT, formatClockTime, formatWeekday } from '../ui/account/dates.js';
import { EnterIcon, PencilIcon } from '../ui/account/icons.js';
import { LastChange } from '../ui/account/last-change.js';
import { BACK_TO_SETTINGS } from '../ui/account/manage-frame.js';
import { useTimeZone } from '../ui/account/moment.js';
import { findProofPhrases } from '../ui/account/proof-phrases.js';
import { Heading } from '../ui/heading.js';
import { DangerIcon } from '../ui/icons.js';
import { toActivityRows, type ActivityRow } from './activity-rows.js';
import { ACTIVITY_WORDS } from './activity-words.js';

const ICONS = { 'sign-ins': EnterIcon, changes: PencilIcon, refused: DangerIcon } as const;
const TONES = { 'sign-ins': 'success', changes: '', refused: 'danger' } as const;

/** Placeholder in a phrase; the element with the time replaces it. */
const TIME_SLOT = '|';

const FILTERS: Readonly<Record<ActivityGroup, MessageKey>> = {
  'sign-ins': 'manage_activity.show_sign_ins',
  changes: 'manage_activity.show_changes',
  refused: 'manage_activity.show_refused',
};

export const heading = (_: PageOf<'manage_activity'>) => phrase('manage_activity.heading');

export function Page({ state }: { state: PageOf<'manage_activity'> }) {
  const { t } = useTranslation();
  const { entries, is_continued: isContinued, shown } = state.manage_activity;
  const timeZone = useTimeZone();
  const days = groupByDay(toActivityRows(entries), (at) => formatWeekday(at, t('language.dates'), timeZone));
  return (
    <div className="flow">
      <Heading heading={heading(state)} backLink={BACK_TO_SETTINGS}>
        <p>{t('manage_activity.text')}</p>
      </Heading>
      <LastChange frame={state} />
      {entries.length > 0 && (
        <p className="quiet-text small">
          <MarkedPhrase
            i18nKey="manage_activity.not_you"
            components={{ password: <a href={PATHS.managePassword} />, devices: <a href={PATHS.manageDevices} /> }}
          />
        </p>
      )}
      {(entries.length > 0 || shown !== undefined) && <Filter shown={shown} />}
      <div>
        {days.map(([day, rows]) => (
          <section className="panel" key={day}>
            <h2>{day}</h2>
            <div>
              <ul className="rows">
                {rows.map((row) => (
                  <Entry key={row.entry.id} row={row} timeZone={timeZone} />
                ))}
              </ul>
            </div>
          </section>
        ))}
        {entries.length === 0 && <p>{t(toEmptyWords(isContinued, shown))}</p>}
      </div>
      <Pages state={state} />
    </div>
  );
}

function toEmptyWords(isContinued: true | undefined, shown: ActivityGroup | undefined): MessageKey {
  if (isContinued) return 'manage_activity.none_older';
  return shown === undefined ? 'manage_activity.none' : 'manage_activity.none_shown';
}

function buildActivityPath(shown: ActivityGroup | undefined, cursor?: string): string {
  const query = new URLSearchParams({
    ...(shown === undefined ? {} : { [MANAGE_QUERY.show]: shown }),
    ...(cursor === undefined ? {} : { [MANAGE_QUERY.cursor]: cursor }),
  }).toString();
  return query === '' ? PATHS.manageActivity : `${PATHS.manageActivity}?${query}`;
}

function Filter({ shown }: { shown: ActivityGroup | undefined }) {
  const { t } = useTranslation();
  const groups = [undefined, ...(Object.keys(ACTIVITY_GROUPS) as ActivityGroup[])];
  return (
    <nav className="filter" aria-label={t('manage_activity.show')}>
      <ul>
        {groups.map((group) => (
          <li key={group ?? ''}>
            <a href={buildActivityPath(group)} aria-current={group === shown ? 'page' : undefined}>
              {t(group === undefined ? 'manage_activity.show_all' : FILTERS[group])}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Pages({ state }: { state: PageOf<'manage_activity'> }) {
  const { t } = useTranslation();
  const { next_cursor: nextCursor, is_continued: isContinued, shown } = state.manage_activity;
  if (nextCursor === undefined && !isContinued) return null;
  return (
    <div className="actions">
      {nextCursor !== undefined && (
        <a className="btn" href={buildActivityPath(shown, nextCursor)}>
          {t('manage_activity.older')}
        </a>
      )}
      {isContinued && (
        <a className="btn quiet" href={buildActivityPath(shown)}>
          {t('manage_activity.newest')}
        </a>
      )}
    </div>
  );
}

function Entry({ row, timeZone }: { row: ActivityRow; timeZone: 'UTC' | undefined }) {
  const { t } = useTranslation();
  const { entry, count, since, network } = row;
  const { activity, at, about, browser, amr = [] } = entry;
  const group = findActivityGroup(activity);
  const GroupIcon = ICONS[group];
  const formatTime = (moment: string) => formatClockTime(moment, t('language.dates'), timeZone);
  // The title of these events names the factor.
  const factor = activity === 'code-used' || activity === 'codes-made' ? undefined : findFactorName(entry.factor);
  const origin = network && t(entry.is_this_network ? 'manage_activity.from_here' : 'manage_activity.from', { network });
  const proofs = findProofPhrases(amr).map((proof) => t(proof));
  const details = [
    factor && t(factor),
    proofs.join(' + '),
    entry.by_operator && t('manage_activity.by_operator'),
    browser,
    origin,
  ];
  const knownDetails = details.filter(Boolean);
  const [beforeTime, afterTime] = t('manage_activity.times', { count, time: TIME_SLOT }).split(TIME_SLOT);
  return (
    <li className="row">
      <span className={`tile ${TONES[group]}`}>
        <GroupIcon />
      </span>
      <span className="what">
        <b>{t(ACTIVITY_WORDS[activity])}</b>
        {about !== undefined && (
          <small>
            <bdi>{about}</bdi>
          </small>
        )}
        {knownDetails.length > 0 && <small>{knownDetails.join(DOT)}</small>}
        {count > 1 && (
          <small>
            {beforeTime}
            <time dateTime={since}>{formatTime(since)}</time>
            {afterTime}
          </small>
        )}
      </span>
      <time className="aside" dateTime={at}>
        {formatTime(at)}
      </time>
    </li>
  );
}

function findFactorName(name: string | undefined): MessageKey | undefined {
  if (name === 'recovery') return 'factor.codes';
  return name === undefined ? undefined : findEnrollable(name)?.setUp.overview.name;
}

/** @returns each day with its rows, in the order of the rows */
function groupByDay(rows: readonly ActivityRow[], toDay: (at: string) => string): [string, ActivityRow[]][] {
  const days = new Map<string, ActivityRow[]>();
  for (const row of rows) days.set(toDay(row.entry.at), [...(days.get(toDay(row.entry.at)) ?? []), row]);
  return [...days];
}
