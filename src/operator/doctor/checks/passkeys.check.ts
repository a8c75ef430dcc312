/**
 * Checks whether browsers find the file with the related origins (WebAuthn Level 3, section 5.11.1). Browsers request the file from
 * the domain of the relying party on the default port, regardless of `PUBLIC_URL`. Origins in the domain of the relying party need no
 * file.
 */
import type { Config } from '../../../config/config.js';
import { explainNetworkError } from '../../../config/system-error.js';
import { SERVER_PATHS } from '../../../contract/paths.js';
import type { Check } from '../check.js';
import { fault, hint, ok, type Finding } from '../finding.js';

const TIMEOUT_MS = 5000;
/** The number of labels that browsers must at least accept; Chromium accepts no more. `shop` is the label of `www.shop.example`. */
const MAX_LABELS = 5;

export const passkeysCheck: Check = {
  title: 'Passkeys',
  run: ({ config }) => checkPasskeys(config, fetch),
};

export async function checkPasskeys({ passkeys }: Pick<Config, 'passkeys'>, request: typeof fetch): Promise<Finding[]> {
  const { mode, rpId, origins } = passkeys;
  if (mode === 'off') return [ok('Passkeys are off.')];
  const relatedOrigins = origins.filter((origin) => !isInDomain(new URL(origin).hostname, rpId));
  if (relatedOrigins.length === 0) return [ok(`Passkeys belong to ${rpId}.`)];
  // The check has no list of public suffixes, so it counts `a.co.uk` and `b.co.uk` once, although browsers count two labels.
  const labels = new Set(relatedOrigins.map((origin) => new URL(origin).hostname.split('.').at(-2)));
  const tooManyLabels = hint(
    `PASSKEY_ORIGINS contains ${labels.size} domain names, but browsers may accept only the first ${MAX_LABELS}.`,
    'Name fewer domains; several hosts in one domain count once.',
  );
  return [...(labels.size > MAX_LABELS ? [tooManyLabels] : []), await checkPublishedFile(rpId, relatedOrigins, request)];
}

async function checkPublishedFile(rpId: string, relatedOrigins: readonly string[], request: typeof fetch): Promise<Finding> {
  const url = `https://${rpId}${SERVER_PATHS.relatedOrigins}`;
  const what = `Browsers look for the related origins of passkeys at ${url}, which`;
  const fix = `Serve the file at ${SERVER_PATHS.relatedOrigins} of Foyer at ${url} too: until then, browsers refuse passkeys on the origins outside ${rpId} that this file does not name.`;
  try {
    const answer = await request(url, { headers: { Connection: 'close' }, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const body = await answer.text();
    if (!answer.ok) return fault(`${what} answers with status ${answer.status}.`, fix);
    if (!/^application\/json\b/.test(answer.headers.get('content-type') ?? '')) return fault(`${what} is not JSON.`, fix);
    const publishedOrigins = parseOrigins(body);
    const missingOrigins = relatedOrigins.filter((origin) => !publishedOrigins.includes(origin));
    if (missingOrigins.length > 0) return fault(`${what} does not name ${missingOrigins.join(', ')}.`, fix);
    return ok(`Passkeys belong to ${rpId}, and can also be used on ${relatedOrigins.join(', ')}.`);
  } catch (error) {
    return hint(
      `${what} does not answer (${explainNetworkError(error)}).`,
      `${fix} Ignore this if only this machine cannot reach it.`,
    );
  }
}

function parseOrigins(body: string): readonly unknown[] {
  try {
    const { origins } = JSON.parse(body) as { origins?: unknown };
    return Array.isArray(origins) ? origins : [];
  } catch {
    return [];
  }
}

function isInDomain(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
