/** Two gateways whose database is behind PgBouncer in transaction mode, which people do not notice. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { whyNoPgBouncer } from '../support/pgbouncer.js';
import { Replicas } from '../support/replicas.js';

const TIMEOUT_MS = 180_000;

const reason = whyNoPgBouncer();
if (reason !== null) process.stderr.write(`SKIPPED: two gateways behind PgBouncer: ${reason}\n`);

(reason === null ? describe : describe.skip)('two gateways behind PgBouncer', () => {
  let replicas: Replicas;

  beforeAll(async () => {
    replicas = await Replicas.start({ pooler: 'transaction' });
  }, TIMEOUT_MS);

  afterAll(() => replicas.close(), TIMEOUT_MS);

  it(
    'sign people in at the same time, again and again',
    async () => {
      const people = await Promise.all(Array.from({ length: 8 }, () => replicas.createPerson()));
      for (let round = 0; round < 3; round++) {
        const ends = await Promise.all(people.map((person) => replicas.signIn(replicas.browser(), person)));
        expect(ends.map(({ url }) => url.searchParams.has('code'))).toEqual(people.map(() => true));
      }
    },
    TIMEOUT_MS,
  );

  it(
    'recover when PgBouncer loses the server, and become ready again by themselves',
    async () => {
      const person = await replicas.createPerson();
      await replicas.parts.cluster.stop();
      await replicas.waitUntilReady(0);
      await replicas.parts.cluster.start();
      await replicas.waitUntilReady(2);
      expect(await replicas.canSignIn(person.username, person.password)).toBe(true);
    },
    TIMEOUT_MS,
  );
});
