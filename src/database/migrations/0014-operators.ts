/** Names of operators, the import that made an account, the app and browser of a sign-in, and the words of the account search. */
import type { Migration } from './migration.js';

export const operators: Migration = {
  number: 14,
  name: 'operators',
  statements: [
    // The name of the operator's token, or the username of the operator. It is not part of the actor, so that the index by actor finds the
    // events of all operators.
    `alter table audit_event add column operator_name text`,
    // The request id of the import, as in its audit event.
    `alter table account add column import_request_id text`,
    `alter table browser_session add column client_id text, add column address text, add column browser text`,

    // The account search uses this function; migration 16 creates the index. Punctuation becomes spaces, because the parser keeps an
    // address or a file name as one word.
    `create function account_words(text, text, text) returns tsvector language sql immutable parallel safe as $$
      select to_tsvector('simple', translate(coalesce($1, '') || ' ' || coalesce($2, '') || ' ' || coalesce($3, ''),
        '!"#$%&''()*+,-./:;<=>?@[\\]^_\`{|}~', repeat(' ', 32)))
    $$`,
  ],
};
