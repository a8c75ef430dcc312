/** The gateway behind nginx with its default buffers, which allow 4 kB for the headers of an answer. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Arrival, BrowserWalk } from '../../support/browser-walk.js';
import { Nginx, whyNoNginx } from '../../support/nginx.js';
import type { Leg, MissingLeg } from '../../support/upstream-leg.js';
import { findFreePorts } from '../../../test-kit/free-ports.js';
import { allow, arrive, signIn, startFront, type Front } from './front.js';

export function nginxStories(leg: Leg | MissingLeg): void {
  const reason = 'missing' in leg ? leg.missing : whyNoNginx();
  if (reason !== null) console.warn(`The gateway behind nginx in front of ${leg.name}: left out, ${reason}`);
  (reason === null ? describe : describe.skip)(`behind nginx, in front of ${leg.name}`, () => {
    let front: Front;
    let nginx: Nginx;

    beforeAll(async () => {
      const [port = 0, publicPort = 0] = await findFreePorts(2);
      front = await startFront(leg as Leg, { port, publicPort });
      nginx = await Nginx.start(publicPort, port);
    });

    afterAll(async () => {
      await nginx.stop();
      await front.close();
    });

    const toCode = (arrival: Arrival): string | null => arrival.url.searchParams.get('code');
    const findIdToken = async (person: BrowserWalk): Promise<string> => {
      const consent = await signIn(person, await arrive(front, person, { prompt: 'login consent' }), { remember: 'true' });
      const tokens = await front.client.redeem(toCode(await allow(person, consent)) ?? '');
      return tokens.id_token ?? '';
    };

    it('an app can ask silently with an ID token as its hint', async () => {
      const person = front.person();
      const hint = await findIdToken(person);
      expect(toCode(await arrive(front, person, { prompt: 'none', id_token_hint: hint }))).not.toBeNull();
    });

    it('a person can sign in again for a request with an ID token and a long state', async () => {
      const person = front.person();
      const hint = await findIdToken(person);
      const more = { prompt: 'login', id_token_hint: hint, state: 's'.repeat(1000) };
      const end = await signIn(person, await arrive(front, person, more));
      expect([toCode(end) !== null, end.url.searchParams.get('state')]).toEqual([true, more.state]);
    });
  });
}
