/** The title of the document: heading and name of the installation. */
export function windowTitle(heading: string, appName: string): string {
  // Without the soft hyphens, which are for narrow pages.
  return `${heading} · ${appName}`.replaceAll('\u00ad', '');
}
