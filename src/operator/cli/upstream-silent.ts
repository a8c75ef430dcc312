/** Said when the own part has happened and the upstream's has not. */
export const UPSTREAM_SILENT =
  'The OAuth server did not answer: what it remembers counts no longer here. Its own part is tried again until it is done.';
