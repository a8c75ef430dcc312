/**
 * Tries several sign-ins at Hydra at the same time, from the authorization request to the tokens, with a temporary client and a
 * made-up person. If Hydra's pool of database connections is too small, Hydra blocks itself: token exchanges hold all
 * connections in transactions and apparently wait for a lock whose holder waits for a connection. Hydra continues as
 * soon as these requests are abandoned.
 */
import type { Config } from '../../config/config.js';
import { randomToken } from '../../config/keys.js';
import { UpstreamError, UpstreamUnavailable } from '../hydra.errors.js';
import { OryHydraAdapter } from '../ory-hydra.adapter.js';
import { MADE_UP_GRANT, REDIRECT_URI, TemporaryClient } from './temporary-client.js';
import { InspectionStopped, InspectionBrowser } from './inspection-browser.js';

export interface SignInBurst {
  /** Time limit of each request. */
  timeoutMs: number;
  /** Duration of one sign-in before the others; null if it failed or the client could not be created; no other was tried then. */
  singleMs: number | null;
  /** Time until the last of the other sign-ins ended. */
  concurrentMs: number;
  /** Number of browsers that received no answer within the time limit; 1 if this happened before the other sign-ins. */
  timeouts: number;
  /** A phrase that states why a sign-in or the creation of the client failed, except by a timeout; null if none did. */
  trouble: string | null;
  /** Id of the client if Hydra reports that it still exists. */
  remainingClientId: string | null;
}

/** The upper bound of the time limit. If Hydra blocks itself, sign-ins of other people wait until the time limit too. */
const MAX_TIMEOUT_MS = 5000;

/**
 * Number of consecutive sign-ins of each browser, each without cookies: Hydra blocks only if one sign-in ends while another is in progress.
 */
const TURNS = 4;

type Outcome = 'done' | 'timeout' | { trouble: string };

/** @param size number of browsers that sign in at the same time */
export async function tryBurst(settings: Config['hydra'], size: number): Promise<SignInBurst> {
  const timeoutMs = Math.min(settings.timeoutMs, MAX_TIMEOUT_MS);
  const limitedSettings = { ...settings, timeoutMs };
  const hydra = new OryHydraAdapter(limitedSettings);
  const client = new TemporaryClient(limitedSettings, hydra);
  const createBrowser = (): InspectionBrowser => new InspectionBrowser(new URL(settings.publicUrl).origin, timeoutMs);
  const signIn = (): Promise<Outcome> => findOutcome(() => performSignIn(createBrowser(), client, hydra));
  const signInSeveralTimes = async (): Promise<Outcome> => {
    for (let turn = 1; turn < TURNS; turn++) {
      const outcome = await signIn();
      if (outcome !== 'done') return outcome;
    }
    return signIn();
  };
  let burst: Omit<SignInBurst, 'remainingClientId'>;
  let remainingClientId: string | null;
  try {
    const creationOutcome = await findOutcome(() => client.create());
    const startedAt = performance.now();
    const firstOutcome = creationOutcome === 'done' ? await signIn() : creationOutcome;
    const firstEndedAt = performance.now();
    const outcomes =
      firstOutcome === 'done' ? await Promise.all(Array.from({ length: size }, signInSeveralTimes)) : [firstOutcome];
    burst = {
      timeoutMs,
      singleMs: firstOutcome === 'done' ? firstEndedAt - startedAt : null,
      concurrentMs: performance.now() - firstEndedAt,
      timeouts: outcomes.filter((outcome) => outcome === 'timeout').length,
      trouble: outcomes.flatMap((outcome) => (typeof outcome === 'object' ? [outcome.trouble] : []))[0] ?? null,
    };
  } finally {
    remainingClientId = await client.remove();
  }
  return { ...burst, remainingClientId };
}

/** @returns `timeout` only if a request was not answered in time */
async function findOutcome(work: () => Promise<void>): Promise<Outcome> {
  try {
    await work();
    return 'done';
  } catch (error) {
    // Any other error is a defect in the doctor.
    if (!(error instanceof InspectionStopped || error instanceof UpstreamError)) throw error;
    const isTimeOut = (error instanceof InspectionStopped || error instanceof UpstreamUnavailable) && error.isTimeOut;
    return isTimeOut ? 'timeout' : { trouble: error.message };
  }
}

/** Performs one sign-in. @throws InspectionStopped, UpstreamError */
async function performSignIn(browser: InspectionBrowser, client: TemporaryClient, hydra: OryHydraAdapter): Promise<void> {
  const verifier = randomToken();
  const loginChallenge = await requestParameter(browser, client.authorizationUrl({}, verifier), 'login_challenge');
  const redirectUrl = await hydra.acceptLogin(loginChallenge, client.madeUpLogin);
  const consentChallenge = await requestParameter(browser, redirectUrl, 'consent_challenge');
  const code = await requestParameter(browser, await hydra.acceptConsent(consentChallenge, MADE_UP_GRANT), 'code');
  const fields = {
    grant_type: 'authorization_code',
    client_id: client.id,
    redirect_uri: REDIRECT_URI,
    code,
    code_verifier: verifier,
  };
  const { status } = await browser.go(client.publicUrl('/oauth2/token'), fields);
  if (status !== 200) throw new InspectionStopped(`Hydra answered with status ${status} instead of tokens`);
}

async function requestParameter(browser: InspectionBrowser, url: string, name: string): Promise<string> {
  const { status, location } = await browser.go(url);
  const value = location?.searchParams.get(name) ?? null;
  if (value === null) throw new InspectionStopped(`Hydra answered with status ${status} instead of a redirect with ${name}`);
  return value;
}
