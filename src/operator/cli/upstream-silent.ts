/** Said when the own part has happened and the upstream's has not. */
export const UPSTREAM_SILENT =
  'The OAuth server did not answer: what it remembers counts no longer here, but its own part is undone. Give the command again later.';
