/** The text of terms: plain text whose paragraphs are separated by empty lines. The first line is the title. */
import type { ReactNode } from 'react';

interface Props {
  /** The whole text, with the title. */
  text: string;
  /** Language of the text, which may differ from the language of the page. */
  language: string;
}

export function TermsText({ text, language }: Props) {
  const [, ...lines] = text.trim().split(/\r?\n/);
  const paragraphs = lines.join('\n').split(/\n\s*\n/);
  return (
    <div className="stack small" lang={language} dir="auto">
      {paragraphs.map((paragraph, index) => (
        // Texts may repeat a paragraph, and never change their order.
        <p key={index}>{insertBreaks(paragraph.trim().split('\n'))}</p>
      ))}
    </div>
  );
}

function insertBreaks(lines: readonly string[]): ReactNode[] {
  return lines.flatMap((line, index) => (index === 0 ? [line] : [<br key={index} />, line]));
}
