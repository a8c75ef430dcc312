/** An image that may have a second file for the dark theme. The browser loads only the file that it shows. */
import type { ReactElement } from 'react';

export function ThemedImage({ darkUrl, children }: { darkUrl: string | undefined; children: ReactElement }) {
  if (darkUrl === undefined) return children;
  return (
    <picture>
      <source media="(prefers-color-scheme: dark)" srcSet={darkUrl} />
      {children}
    </picture>
  );
}
