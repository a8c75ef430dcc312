/**
 * Lets a made-up person authorize a temporary client at Hydra and requests the tokens, to find out whether Hydra calls its token hook,
 * which refuses an unknown person. Client, session and consents are removed afterwards, also after an error.
 */
import type { Config } from '../../config/config.js';
import { randomToken } from '../../config/keys.js';
import { OryHydraAdapter } from '../ory-hydra.adapter.js';
import { getChallenge, findTrouble } from './inspect-authorization.js';
import { MADE_UP_GRANT, REDIRECT_URI, TemporaryClient } from './temporary-client.js';
import { InspectionStopped, InspectionBrowser } from './inspection-browser.js';

export interface TokenHookInspection {
  /**
   * `issued`: Hydra called no hook that refuses an unknown person. `refused`: by the hook. `failed`: the hook gave no valid answer. Null if
   * the inspection ended early.
   */
  tokens: 'issued' | 'refused' | 'failed' | null;
  /** A phrase that states why the inspection ended early; null if it did not. */
  trouble: string | null;
  /** Id of the client if Hydra reports that it still exists. */
  remainingClientId: string | null;
}

/**
 * Long enough for the three times that Hydra calls a hook whose connections fail. Hydra waits longer for a hook that accepts the connection but
 * does not answer.
 */
const TIMEOUT_MS = 20_000;

/** Does not throw if Hydra does not answer as expected. */
export async function inspectTokenHook(settings: Config['hydra']): Promise<TokenHookInspection> {
  const hydra = new OryHydraAdapter(settings);
  const client = new TemporaryClient(settings, hydra);
  let inspection: Omit<TokenHookInspection, 'remainingClientId'>;
  let remainingClientId: string | null;
  try {
    await client.create();
    inspection = { tokens: await requestTokens(settings, { hydra, client }), trouble: null };
  } catch (error) {
    inspection = { tokens: null, trouble: findTrouble(error) };
  } finally {
    remainingClientId = await client.remove();
  }
  return { ...inspection, remainingClientId };
}

async function requestTokens(
  { publicUrl }: Config['hydra'],
  { hydra, client }: { hydra: OryHydraAdapter; client: TemporaryClient },
): Promise<TokenHookInspection['tokens']> {
  const browser = new InspectionBrowser(new URL(publicUrl).origin, TIMEOUT_MS);
  const verifier = randomToken();
  const login = getChallenge(await browser.go(client.authorizationUrl({}, verifier)), 'login');
  const consent = getChallenge(await browser.go(await hydra.acceptLogin(login, client.madeUpLogin)), 'consent');
  const { location } = await browser.go(await hydra.acceptConsent(consent, MADE_UP_GRANT));
  const code = location?.searchParams.get('code');
  if (!code) throw new InspectionStopped('Hydra returned no code to the test client');
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    client_id: client.id,
    code_verifier: verifier,
  };
  const { status } = await browser.go(client.publicUrl('/oauth2/token'), form).catch(explainTimeOut);
  if (status === 200) return 'issued';
  if (status === 403) return 'refused';
  if (status === 500) return 'failed';
  throw new InspectionStopped(`Hydra answered the test client with status ${status}`);
}

function explainTimeOut(error: unknown): never {
  if (!(error instanceof InspectionStopped && error.isTimeOut)) throw error;
  throw new InspectionStopped(
    `Hydra did not answer the request for tokens within ${TIMEOUT_MS / 1000} s, perhaps because its token hook does not answer`,
  );
}
