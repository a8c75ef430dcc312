/** What a password reset means for apps, on every upstream: their sessions end, and their tokens are refused. */
import { expect, it } from '@jest/globals';
import { PasswordResets } from '../../../src/accounts/password/resets.js';
import { BrowserSessions } from '../../../src/accounts/sessions/browser-sessions.js';
import { BackChannelListener } from '../../support/back-channel-listener.js';
import { PASSWORD } from '../../support/gateway.js';
import { idClaims } from '../../support/oauth-client.js';
import { ResetStory } from '../../support/resets.js';
import type { Leg } from '../../support/upstream-leg.js';
import { waitUntil } from '../../support/upstream-waiting.js';
import { allow, arrive, signIn, type Front } from './front.js';

const HEARD_WITHIN_MS = 60_000;

export function sessionEndStories(leg: Leg, front: () => Front): void {
  const story = leg.reachesLoopback ? it : it.skip;

  story(
    '[PWR-7] [S-44] a reset notifies an app with back-channel logout of the end of every session, and ends its tokens',
    async () => {
      const heard = await BackChannelListener.start();
      try {
        const { gateway } = front();
        const account = await gateway.account(`robbed.${front().client.id.slice(0, 8).toLowerCase()}`);
        const app = { client: await front().register({ backchannel_logout_uri: heard.url }) };
        const fields = { username: account.username, password: PASSWORD, remember: 'true' };
        const enter = async () => {
          const person = front().person();
          const answer = await signIn(person, await arrive(app, person), fields);
          // At the second sign-in, the app already has its consent.
          const end = answer.status === 0 ? answer : await allow(person, answer);
          return app.client.redeem(end.url.searchParams.get('code') ?? '');
        };
        const [forgotten, known] = [await enter(), await enter()];
        const sids = [forgotten, known].map((tokens) => idClaims(tokens)['sid']);
        // The upstream keeps one session that Foyer no longer knows.
        await gateway.get(BrowserSessions).endForUpstreamSession(String(sids[0]));
        const { secret } = await gateway.get(PasswordResets).issue(account, { actor: 'operator' });
        await new ResetStory(gateway).reset(secret);
        await waitUntil(HEARD_WITHIN_MS, async () => heard.bodies.length > 1);
        expect(heard.sids.toSorted()).toEqual(sids.toSorted());
        expect((await app.client.refresh(known.refresh_token ?? '')).status).toBe(400);
      } finally {
        await heard.close();
      }
    },
  );
}
