/** The ids that a browser had while a sign-in was open: forms of its older tabs count under them (`src/flows/sign-in/sign-in.ts`). */
import type { Migration } from './migration.js';

export const signInFormerBrowsers: Migration = {
  number: 46,
  name: 'sign-in-former-browsers',
  statements: [`alter table sign_in add column former_browsers text[] not null default '{}'`],
};
