/** The warning if a change was made here but the upstream did not answer. */
export const UPSTREAM_SILENT =
  'The OAuth server did not answer. Foyer no longer accepts its sessions, and will repeat the call until it succeeds.';
