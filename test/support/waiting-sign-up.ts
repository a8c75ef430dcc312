/** A person who signed up and waits for an operator's decision. */
import type { TestGateway } from './gateway.js';

let count = 0;

/** @returns the id of the sign-up */
export async function addSignUp({ database }: Pick<TestGateway, 'database'>, more: object = {}): Promise<string> {
  const email = `waiting-${(count += 1)}@example.org`;
  const now = database.now();
  const row = {
    ...{ email, email_key: email, username: `waiting-${count}`, display_name: 'Nele Neumann' },
    ...{
      attributes: '{}',
      hash: 'unused',
      client_id: 'portal',
      client_name: 'Portal',
      app_url: 'https://portal.example/',
      locale: 'en',
    },
    asked_at: now,
    expires_at: new Date(Date.UTC(2100, 0, 1)),
    ...more,
  };
  return (await database.db.insertInto('sign_up_application').values(row).returning('id').executeTakeFirstOrThrow()).id;
}
