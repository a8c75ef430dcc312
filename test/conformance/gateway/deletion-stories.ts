/** A person deletes their account, on every upstream: everything that apps received of it ends at the upstream too. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../../src/accounts/account/accounts.js';
import { DueDeletions } from '../../../src/accounts/due-deletions.js';
import { PATHS } from '../../../src/contract/paths.js';
import { RevocationRunner } from '../../../src/hydra/revocation-runner.js';
import { BackChannelListener } from '../../support/back-channel-listener.js';
import type { BrowserWalk } from '../../support/browser-walk.js';
import { PASSWORD } from '../../support/gateway.js';
import { idClaims } from '../../support/oauth-client.js';
import type { Leg } from '../../support/upstream-leg.js';
import { waitUntil } from '../../support/upstream-waiting.js';
import { allow, arrive, signIn, startFront, type Front } from './front.js';

const SCOPE = 'openid offline id';
const HEARD_WITHIN_MS = 60_000;

/** These stories have a gateway of their own, because they move its clock. */
export function deletionStories(leg: Leg): void {
  const story = leg.reachesLoopback ? it : it.skip;

  describe('the deletion of an account', () => {
    let front: Front;

    beforeAll(async () => {
      front = await startFront(leg);
    });

    afterAll(() => front.close());

    async function enter(person: BrowserWalk, username: string) {
      const fields = { username, password: PASSWORD, remember: 'true' };
      const answer = await signIn(person, await arrive(front, person, { scope: SCOPE }), fields);
      const end = answer.status === 0 ? answer : await allow(person, answer);
      return front.client.redeem(end.url.searchParams.get('code') ?? '');
    }

    /** Submits the form while the sign-in is a fresh proof. */
    async function askForDeletion(person: BrowserWalk, token: string): Promise<void> {
      const { publicUrl } = front.gateway.config;
      await person.go(`${publicUrl}${PATHS.manage}?t=${encodeURIComponent(token)}`);
      const page = await person.go(publicUrl + PATHS.manageDeletion);
      const frame = page.state('manage_deletion');
      const after = await person.submit(page, PATHS.manageDeletion, { _xsrf: frame.area.xsrf_token });
      expect(after.state('manage').manage.deletion_due_at).toEqual(expect.any(String));
    }

    story(
      '[DEL-1] [DEL-3] [S-134] ends its sessions, consents and tokens at the upstream after the wait, and notifies its apps',
      async () => {
        const heard = await BackChannelListener.start();
        try {
          front.client = await front.register({ scope: SCOPE, backchannel_logout_uri: heard.url });
          const { gateway, admin, client } = front;
          const { id, username } = await gateway.account(`leaving.${client.id.slice(0, 8).toLowerCase()}`);
          const people = [front.person(), front.person()] as const;
          const [own, other] = [await enter(people[0], username), await enter(people[1], username)];
          await askForDeletion(people[0], own.access_token);
          expect(await gateway.get(DueDeletions).run()).toBe(0);
          expect((await admin.introspect(own.access_token)).active).toBe(true);
          expect(await admin.consentSessions(id)).not.toEqual([]);

          gateway.clock.advanceSeconds(gateway.config.manage.deletionWaitDays * 24 * 3600 + 1);
          expect(await gateway.get(DueDeletions).run()).toBe(1);
          await gateway.get(RevocationRunner).settle(id);
          expect(await gateway.get(Accounts).find(id)).toBeNull();
          expect(await admin.consentSessions(id)).toEqual([]);
          for (const tokens of [own, other]) {
            expect((await admin.introspect(tokens.access_token)).active).toBe(false);
            expect((await client.refresh(tokens.refresh_token ?? '')).status).toBe(400);
          }
          await waitUntil(HEARD_WITHIN_MS, async () => heard.bodies.length > 1);
          expect(heard.sids.toSorted()).toEqual([own, other].map((tokens) => idClaims(tokens)['sid']).sort());
          for (const person of people) {
            const silent = await arrive(front, person, { scope: SCOPE, prompt: 'none' });
            expect(silent.url.searchParams.get('error')).toBe('login_required');
            expect((await arrive(front, person, { scope: SCOPE })).state('login').login.error).toBeNull();
          }
        } finally {
          await heard.close();
        }
      },
    );
  });
}
