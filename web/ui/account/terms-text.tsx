/** Terms: shows their title, which opens their text. The text is plain; empty lines separate its paragraphs, and its first line is the title. */
import type { ReactNode } from 'react';

interface Props {
  title: string;
  /** The whole text, with the title. */
  text: string;
  /** Language of the text, which may differ from the language of the page. */
  language: string;
  isOpen?: boolean;
}

export function TermsText({ title, text, language, isOpen = false }: Props) {
  return (
    <details className="unfolds" open={isOpen}>
      <summary>
        <b lang={language} dir="auto">
          {title}
        </b>
      </summary>
      <Paragraphs text={text} language={language} />
    </details>
  );
}

function Paragraphs({ text, language }: Pick<Props, 'text' | 'language'>) {
  const [, ...lines] = text.trim().split(/\r?\n/);
  const paragraphs = lines.join('\n').split(/\n\s*\n/);
  return (
    <div className="stack small" lang={language} dir="auto">
      {paragraphs.map((paragraph, index) => (
        // The key is the index, because a text may repeat a paragraph. The order of the paragraphs never changes.
        <p key={index}>{insertBreaks(paragraph.trim().split('\n'))}</p>
      ))}
    </div>
  );
}

function insertBreaks(lines: readonly string[]): ReactNode[] {
  return lines.flatMap((line, index) => (index === 0 ? [line] : [<br key={index} />, line]));
}
