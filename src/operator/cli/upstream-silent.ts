/** Said when the own part has happened and the upstream's has not. */
export const UPSTREAM_SILENT =
  'The OAuth server did not answer: no new sign-in is possible, but apps keep the tokens they have. Give the command again later.';
