/**
 * A Hydra that somebody runs already. Nothing is known of its settings. The suite removes the clients it made there, and
 * their consents and tokens with them; sign-in sessions of its invented people stay until their time is over.
 */
import type { Leg, MissingLeg } from './upstream-leg.js';

/** @throws when the two addresses are given and nobody answers there: that is a fault, not a reason to skip */
export async function instanceLeg(environment: NodeJS.ProcessEnv): Promise<Leg | MissingLeg> {
  const name = 'running Hydra';
  const { HYDRA_PUBLIC_URL: publicUrl, HYDRA_ADMIN_URL: adminUrl } = environment;
  if (!publicUrl || !adminUrl) return { name, missing: 'HYDRA_PUBLIC_URL and HYDRA_ADMIN_URL are not both set' };
  const answer = await fetch(`${withoutSlash(adminUrl)}/version`);
  const { version } = (await answer.json()) as { version?: string };
  return {
    name,
    version: version ?? 'unknown',
    configurable: false,
    reachesLoopback: ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(publicUrl).hostname),
    decidesRaces: false,
    start: async () => ({
      publicUrl: withoutSlash(publicUrl),
      adminUrl: withoutSlash(adminUrl),
      urls: {},
      now: Date.now,
      close: async () => {},
    }),
  };
}

const withoutSlash = (url: string): string => url.replace(/\/$/, '');
