/** Codes for the people who run things, small, below the words for everybody. Empty values leave no line. */
import { Fragment } from 'react';
import type { MessageKey } from '../phrases/phrase.js';
import { usePhrases } from '../phrases/say.js';

export function Facts({ facts }: { facts: readonly { name: MessageKey; value: string }[] }) {
  const { text } = usePhrases();
  const known = facts.filter(({ value }) => value !== '');
  if (known.length === 0) return null;
  return (
    <dl className="facts">
      {known.map(({ name, value }) => (
        <Fragment key={name}>
          <dt>{text(name)}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
