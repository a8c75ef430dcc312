/** The same assertion at two gateways of one installation, as from a double click that a balancer distributes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { PATHS } from '../../src/contract/paths.js';
import { whyNoServer } from '../support/databases.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { PasskeyStory, type OpenedLogin, type TestPasskey } from '../support/passkeys.js';
import { waitUntil } from '../support/upstream-waiting.js';
import { toAnswer, toForm } from '../../test-kit/page.js';

const TIMEOUT_MS = 180_000;

const reason = whyNoServer();
if (reason !== null) process.stderr.write(`SKIPPED ON POSTGRESQL: passkeys at two gateways: ${reason}\n`);

(reason === null ? describe : describe.skip)('[PKY-2] a passkey, at two gateways', () => {
  let gateways: [TestGateway, TestGateway];
  let story: PasskeyStory;

  beforeAll(async () => {
    const first = await startTestGateway({ kind: 'postgresql' });
    gateways = [first, await startTestGateway({ beside: first.database, hydra: first.hydra })];
    story = new PasskeyStory(first);
  }, 180_000);

  afterAll(async () => {
    for (const gateway of gateways) await gateway.close();
  });

  async function post({ browser, fields }: OpenedLogin, passkey: string, { url }: TestGateway) {
    const headers = { accept: 'text/html', cookie: browser.cookies('/').join('; ') };
    const init = { method: 'POST', body: toForm({ ...fields, passkey }), headers, redirect: 'manual' } as const;
    const response = await fetch(new URL(PATHS.loginPasskey, url), init);
    return toAnswer(response, await response.text(), []);
  }

  const findKinds = async ({ account }: TestPasskey) =>
    (await gateways[0].get(AuditLog).list(account.id)).entries.map(({ kind }) => kind);

  it.each([5, 0])('answers a double click once, and begins one session, with the counter %i', async (counter) => {
    const holder = await story.createHolder({ counter });
    const opened = await story.openLogin();
    const passkey = holder.answer(opened.request);
    // Both have verified the signature before one of them stores the counter.
    const posted = await gateways[0].database.transaction(async (trx) => {
      await trx.selectFrom('passkey').select('id').where('account_id', '=', holder.account.id).forUpdate().execute();
      const both = gateways.map((gateway) => post(opened, passkey, gateway));
      await waitUntil(TIMEOUT_MS, async () => {
        const { rows } = await sql`select from pg_locks where not granted`.execute(trx);
        return rows.length >= 2;
      });
      return { both };
    });
    const pages = await Promise.all(posted.both);
    expect(pages.map(({ status, location }) => [status, location])).toEqual(
      Array.from({ length: 2 }, () => [303, expect.stringContaining('login_verifier')]),
    );
    expect(pages[0]?.location).toBe(pages[1]?.location);
    const sessions = gateways[0].database.db.selectFrom('browser_session').where('account_id', '=', holder.account.id);
    expect(await sessions.select('upstream_session_id').execute()).toHaveLength(1);
    const kinds = await findKinds(holder);
    expect(kinds).not.toContain('factor.refused');
    expect(kinds.filter((kind) => kind === 'sign-in.ok')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'factor.ok')).toHaveLength(1);
  });

  it('gives the same answer while the first one waits for Hydra', async () => {
    const [first, second] = gateways;
    const { hydra } = first;
    const accept = hydra.acceptLogin.bind(hydra);
    let others: Promise<unknown> = Promise.resolve();
    const holder = await story.createHolder({ counter: 5 });
    const opened = await story.openLogin();
    const passkey = holder.answer(opened.request);
    let isFirst = true;
    hydra.acceptLogin = async (...given) => {
      if (!isFirst) return accept(...given);
      isFirst = false;
      others = post(opened, passkey, second);
      await others;
      return accept(...given);
    };
    try {
      const page = await post(opened, passkey, first);
      expect([page.status, page.location]).toEqual([303, expect.stringContaining('login_verifier')]);
      expect(await others).toMatchObject({ status: 303, location: page.location });
      expect(await findKinds(holder)).not.toContain('factor.refused');
    } finally {
      hydra.acceptLogin = accept;
    }
  });

  it('reports a cloned passkey if another form, another request or a later time has its counter', async () => {
    const holder = await story.createHolder({ counter: 5 });
    const opened = await story.openLogin();
    const { status } = await post(opened, holder.answer(opened.request), gateways[0]);
    expect(status).toBe(303);
    const later = await story.openLogin();
    const page = await post(later, holder.answer(later.request, { counter: 6 }), gateways[1]);
    expect([page.status, page.state('login').login.error]).toEqual([422, 'passkey']);
    const [event] = (await gateways[0].get(AuditLog).list(holder.account.id)).entries;
    expect(event).toMatchObject({ kind: 'factor.refused', detail: { fault: 'counter' } });
  });
});
