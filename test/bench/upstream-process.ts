/** Runs the upstream in a separate process: the embedded upstream, or a real Hydra. */
import { randomBytes } from 'node:crypto';
import { startUpstream } from '../../embedded/upstream/start-upstream.js';
import { PATHS } from '../../src/contract/paths.js';
import { startHydra, type HydraPlan, type UpstreamAddresses } from './hydra-process.js';
import { answerQuestions } from './worker.js';

export interface UpstreamPlan extends UpstreamAddresses {
  /** Null for the embedded upstream. */
  hydra: HydraPlan | null;
}

export function runUpstream(): void {
  let stop = (): Promise<void> => Promise.resolve();
  /** @returns the process id of Hydra; null for the embedded upstream */
  const start = async (plan: UpstreamPlan): Promise<number | null> => {
    if (plan.hydra === null) {
      stop = (await startUpstream(toUpstreamOptions(plan))).close;
      return null;
    }
    const hydra = await startHydra(plan, plan.hydra);
    stop = hydra.stop;
    return hydra.pid;
  };
  answerQuestions({ start }, () => stop());
}

function toUpstreamOptions({ gateway, issuer, publicPort, adminPort }: UpstreamPlan): Parameters<typeof startUpstream>[0] {
  const urls = {
    login: gateway + PATHS.login,
    consent: gateway + PATHS.consent,
    logout: gateway + PATHS.logout,
    error: gateway + PATHS.error,
    postLogoutRedirect: gateway + PATHS.logoutCallback,
  };
  return { host: '127.0.0.1', publicPort, adminPort, issuer, urls, dataDir: null, secret: randomBytes(32).toString('hex') };
}
