/** One event in words: what happened, what is known about it, who did it, and why. */
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '../api/calls.js';
import { useAllowed } from '../session/session-context.js';
import { Moment } from '../ui/moment.js';
import { Phrase } from '../ui/phrase.js';
import { Tag } from '../ui/tag.js';
import { UserText } from '../ui/user-text.js';
import { VALUE_PHRASES, findEventPhrase, findReason, isByOperator, listFacts, type Fact } from './event-words.js';

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
              <FactWords fact={fact} />
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

function FactWords({ fact: { name, value } }: { fact: Fact }) {
  const { t } = useTranslation();
  const phrase = VALUE_PHRASES[`${name}:${value}`];
  const isTime = (name === 'due' || name === 'until') && !Number.isNaN(Date.parse(value));
  return (
    <>
      <span className="fact-name">{t(`fact.${name}`)}</span>{' '}
      {phrase !== undefined ? t(phrase) : isTime ? <Moment at={value} /> : <UserText text={value} />}
    </>
  );
}

/** Who caused it; operators are marked, because people should see at once what was done for them. */
export function Actor({ entry: { actor } }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  if (!isByOperator(actor)) return <span className="muted">{t(actor === 'person' ? 'actor.person' : 'actor.system')}</span>;
  const name = <UserText text={actor.slice('operator:'.length)} />;
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
