/** The former ids of a browser during a sign-in, under which forms of its older tabs are still accepted (`src/flows/sign-in/sign-in.ts`). */
import type { Migration } from './migration.js';

export const signInFormerBrowsers: Migration = {
  number: 46,
  name: 'sign-in-former-browsers',
  statements: [`alter table sign_in add column former_browsers text[] not null default '{}'`],
};
