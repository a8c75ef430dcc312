/**
 * A running Hydra with unknown settings. The suite deletes the clients that it created, with their consents and
 * tokens; sign-in sessions of its invented people remain until they expire.
 */
import type { Leg, MissingLeg } from './upstream-leg.js';

/** @throws if both addresses are given and no server answers, because that is a fault and not a reason to skip */
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
