/** The heading of a page. It also sets the title of the window, and gets the focus when the page opens. */
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Whether no page was shown before. The first page after loading leaves the focus where the browser put it. */
let isFirst = true;

interface PageHeadingProps {
  /** For the title of the window. */
  title: string;
  children?: ReactNode;
}

export function PageHeading({ title, children }: PageHeadingProps) {
  const ref = useRef<HTMLHeadingElement>(null);
  usePageTitle(title);
  useEffect(() => {
    // An operator who is typing keeps the focus.
    const isTyping = document.activeElement?.matches('input, textarea, select') === true;
    if (!isFirst && !isTyping) ref.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  return (
    <h1 ref={ref} tabIndex={-1}>
      {children ?? title}
    </h1>
  );
}

function usePageTitle(title: string): void {
  const { t } = useTranslation();
  const windowTitle = t('app.title', { title, interpolation: { escapeValue: false, skipOnVariables: true } });
  useEffect(() => {
    document.title = windowTitle;
  }, [windowTitle]);
}
