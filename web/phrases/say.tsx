/** Phrases inside React: the context that holds the reader, and `Say`, which puts elements where a phrase has marks. */
import { createContext, Fragment, use } from 'react';
import type { ReactNode } from 'react';
import type { Part } from './parse-phrase.js';
import type { Phrase } from './phrase.js';
import type { Phrases } from './phrases.js';

export const PhrasesContext = createContext<Phrases | null>(null);

export function usePhrases(): Phrases {
  const phrases = use(PhrasesContext);
  if (!phrases) throw new Error('A page was rendered without phrases.');
  return phrases;
}

type Marks = Readonly<Record<string, (content: ReactNode) => ReactNode>>;

/** @param marks what `<name>…</name>` of the phrase becomes; a mark that is not named leaves its text as it is. */
export function Say({ phrase, marks = {} }: { phrase: Phrase; marks?: Marks }) {
  return show(usePhrases().parts(phrase), marks);
}

function show(parts: readonly Part[], marks: Marks): ReactNode {
  return parts.map((part, index) => <Fragment key={index}>{showPart(part, marks)}</Fragment>);
}

function showPart(part: Part, marks: Marks): ReactNode {
  if (part.kind === 'text') return part.text;
  // Names are other people's: an override of the writing direction in one must not turn our own words round.
  if (part.kind === 'value') return <bdi>{part.text}</bdi>;
  const content = show(part.parts, marks);
  return marks[part.name]?.(content) ?? content;
}
