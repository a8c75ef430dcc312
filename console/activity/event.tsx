/** One event in words: what happened, what is known about it, who did it, and why. */
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '../api/calls.js';
import { useAllowed } from '../session/session-context.js';
import { Moment } from '../ui/moment.js';
import { Phrase } from '../ui/phrase.js';
import { Tag } from '../ui/tag.js';
import { UserText } from '../ui/user-text.js';
import { nameActor } from './actor-name.js';
import { findEventPhrase, findReason, isByOperator, listFacts, type Fact } from './event-words.js';
import { findValuePhrase } from './value-words.js';

export function EventWords({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  const phrase = findEventPhrase(entry.kind);
  const facts = listFacts(entry);
  const reason = findReason(entry);
  return (
    <div className="event">
      <span className="event-title">{phrase === undefined ? <code>{entry.kind}</code> : t(phrase)}</span>
      {facts.length > 0 && (
        <ul className="facts">
          {facts.map((fact) => (
            <li key={fact.name}>
              <FactWords kind={entry.kind} fact={fact} />
            </li>
          ))}
        </ul>
      )}
      {reason !== undefined && (
        <p className="event-reason">
          <Phrase phrase="event_reason" values={{ reason: <UserText text={reason} /> }} />
        </p>
      )}
    </div>
  );
}

function FactWords({ kind, fact: { name, values } }: { kind: string; fact: Fact }) {
  const { t } = useTranslation();
  return (
    <>
      <span className="fact-name">{t(`fact.${name}`)}</span>{' '}
      {values.map((value, index) => (
        <Fragment key={value}>
          {index > 0 && ', '}
          <ValueWords kind={kind} name={name} value={value} />
        </Fragment>
      ))}
    </>
  );
}

const TIMES: readonly Fact['name'][] = ['due', 'until', 'since'];

function ValueWords({ kind, name, value }: { kind: string; name: Fact['name']; value: string }) {
  const { t } = useTranslation();
  const phrase = findValuePhrase(kind, name, value);
  if (phrase !== undefined) return t(phrase);
  const isTime = TIMES.includes(name) && !Number.isNaN(Date.parse(value));
  return isTime ? <Moment at={value} /> : <UserText text={value} />;
}

/** The actor of an event. Operators are marked, so that their changes are easy to see. */
export function Actor({ entry: { actor } }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  if (!isByOperator(actor)) return <span className="muted">{t(actor === 'person' ? 'actor.person' : 'actor.system')}</span>;
  const name = <UserText text={nameActor(actor, t)} />;
  return (
    <Tag tone="info">
      {t('actor.operator')}{' '}
      {isAllowed('audit.ofAll') && actor !== 'operator' ? (
        <Link to="/activity" search={{ actor }} title={t('actor.show')}>
          {name}
        </Link>
      ) : (
        name
      )}
    </Tag>
  );
}
