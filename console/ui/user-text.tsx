/** Shows a text that somebody else wrote: isolated in its direction, with hidden characters made visible. */
import { splitHidden } from './visible-text.js';

export function UserText({ text }: { text: string }) {
  return (
    <bdi>
      {splitHidden(text).map((part, index) =>
        part.isHidden ? (
          <span className="hidden-character" key={index}>
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </bdi>
  );
}
