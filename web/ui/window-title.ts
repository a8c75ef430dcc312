/** The title of the window: what the page is about, and whose it is. */
export function windowTitle(heading: string, appName: string): string {
  // Soft hyphens are for narrow pages; a title has one line.
  return `${heading} · ${appName}`.replaceAll('\u00ad', '');
}
