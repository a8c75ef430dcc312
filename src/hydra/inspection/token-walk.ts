/**
 * Lets a made-up person authorize a temporary client at Hydra and requests the tokens, to find out whether Hydra calls its token hook,
 * which refuses an unknown person. Client, session and consents are always removed afterwards.
 */
import type { Config } from '../../config/config.js';
import { randomToken } from '../../config/keys.js';
import { OryHydraAdapter } from '../ory-hydra.adapter.js';
import { findChallenge, findTrouble } from './request-walk.js';
import { MADE_UP_GRANT, NOWHERE, TemporaryClient } from './temporary-client.js';
import { WalkEnded, WalkingBrowser } from './walking-browser.js';

export interface TokenWalk {
  /** `issued`: Hydra called no hook. `refused`: by the hook. `failed`: the hook gave no valid answer. Null if the walk ended early. */
  tokens: 'issued' | 'refused' | 'failed' | null;
  /** A phrase that states why the walk ended early. */
  trouble: string | null;
  /** Id of the client if it could not be removed. */
  leftBehind: string | null;
}

/** Hydra tries three times to call a hook that does not answer. */
const PATIENCE_MS = 20_000;

/** Does not throw if Hydra does not answer as expected. */
export async function walkForTokens(settings: Config['hydra']): Promise<TokenWalk> {
  const hydra = new OryHydraAdapter(settings);
  const client = new TemporaryClient(settings, hydra);
  let walk: Omit<TokenWalk, 'leftBehind'>;
  let leftBehind: string | null;
  try {
    await client.create();
    walk = { tokens: await requestTokens(settings, { hydra, client }), trouble: null };
  } catch (error) {
    walk = { tokens: null, trouble: findTrouble(error) };
  } finally {
    leftBehind = await client.remove();
  }
  return { ...walk, leftBehind };
}

async function requestTokens(
  { publicUrl }: Config['hydra'],
  { hydra, client }: { hydra: OryHydraAdapter; client: TemporaryClient },
): Promise<TokenWalk['tokens']> {
  const browser = new WalkingBrowser(new URL(publicUrl).origin, PATIENCE_MS);
  const verifier = randomToken();
  const login = findChallenge(await browser.go(client.authorizationUrl({}, verifier)), 'login');
  const consent = findChallenge(await browser.go(await hydra.acceptLogin(login, client.madeUpLogin)), 'consent');
  const { location } = await browser.go(await hydra.acceptConsent(consent, MADE_UP_GRANT));
  const code = location?.searchParams.get('code');
  if (!code) throw new WalkEnded('Hydra returned no code to the test client');
  const form = { grant_type: 'authorization_code', code, redirect_uri: NOWHERE, client_id: client.id, code_verifier: verifier };
  const { status } = await browser.go(client.publicUrl('/oauth2/token'), form);
  if (status === 200) return 'issued';
  if (status === 403) return 'refused';
  if (status === 500) return 'failed';
  throw new WalkEnded(`Hydra answered the test client with status ${status}`);
}
