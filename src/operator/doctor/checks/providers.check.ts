/**
 * Checks whether the metadata of providers can be read, whether this installation is registered with the providers, and whether the
 * registration service answers. The check redeems an invalid code at each provider; the error shows whether the provider refuses the
 * code or the client. Also finds people of providers who cannot sign in.
 */
import { randomToken } from '../../../config/keys.js';
import type { ProviderSettings } from '../../../config/config.js';
import { isOAuthType } from '../../../config/provider-presets.js';
import { isProvider } from '../../../config/stored-sources.js';
import { hasValue } from '../../../config/settings-read.js';
import { explainNetworkError } from '../../../config/system-error.js';
import { buildCallbackUrl } from '../../../providers/identity-providers.port.js';
import { ConfiguredIdentityProviders, type ProviderFailure } from '../../../providers/configured-identity-providers.adapter.js';
import type { Check } from '../check.js';
import type { Examination } from '../examination.js';
import { formatCount, fault, hint, ok, type Finding } from '../finding.js';

const TIMEOUT_MS = 5000;
const UNKNOWN_CLIENT = /invalid_client|unauthorized_client|refuses the credentials/;
const UNKNOWN_CODE = /invalid_grant/;

export const providersCheck: Check = {
  title: 'Providers and registration',
  async run(examination) {
    const { providers } = examination.config;
    const findings = await Promise.all(providers.map((provider) => checkProvider(examination, provider)));
    const emptyText = examination.config.embedded
      ? 'No provider is configured; the demo providers run while Foyer runs.'
      : 'No provider is configured, so people cannot sign in with one.';
    const peopleFindings = await checkPeople(examination);
    return [
      ...(providers.length === 0 ? [ok(emptyText)] : findings.flat()),
      ...peopleFindings,
      ...(await checkRegistration(examination)),
    ];
  },
};

async function checkProvider({ config, parts }: Examination, settings: ProviderSettings): Promise<Finding[]> {
  const { id, name, issuer } = settings;
  const failures: string[] = [];
  const kinds = new Set<ProviderFailure['kind']>();
  const onFailure = ({ message, kind }: ProviderFailure): void => {
    failures.push(message);
    kinds.add(kind);
  };
  const adapter = new ConfiguredIdentityProviders({
    providers: [settings],
    clock: parts.clock,
    onFailure,
    timeoutMs: TIMEOUT_MS,
  });
  const redirectUri = buildCallbackUrl(config.publicUrl, id);
  const state = randomToken();
  const start = await adapter.begin({ provider: id, redirectUri, state }).catch(() => null);
  if (!start) {
    return [
      fault(
        `${name} cannot be used: the metadata of ${issuer} cannot be read (${failures.join(', ')}).`,
        `Allow this machine to reach the provider, or correct ${toNames(settings).issuer}.`,
      ),
    ];
  }
  const answer = new URLSearchParams({ state, code: randomToken(), ...(settings.dialect === 'oidc' ? { iss: issuer } : {}) });
  await adapter.finish(start.transaction, answer).catch(() => undefined);
  const failureText = failures.join(', ');
  // A provider that is not an OpenID provider has no metadata, so the redemption of the code is the first call to it.
  if (isOAuthType(settings.dialect) && kinds.has('ProviderUnavailable') && !UNKNOWN_CLIENT.test(failureText)) {
    return [
      fault(
        `${name} cannot be used: it does not answer (${failureText}).`,
        `Allow this machine to reach ${issuer} and the API of ${name}.`,
      ),
    ];
  }
  return [judgeFailure(settings, { redirectUri, failureText })];
}

function judgeFailure(
  settings: ProviderSettings,
  { redirectUri, failureText }: { redirectUri: string; failureText: string },
): Finding {
  const { name } = settings;
  const { client, credential } = toNames(settings);
  if (UNKNOWN_CLIENT.test(failureText)) {
    return fault(
      `${name} does not accept the credentials of this installation (${failureText}).`,
      `Set ${client} and ${credential} to the values that ${name} issued; a secret may have expired.`,
    );
  }
  if (UNKNOWN_CODE.test(failureText))
    return ok(`${name} accepts the credentials of this installation; ${redirectUri} must be registered there as a redirect URI.`);
  return hint(
    `It is unclear whether ${name} accepts the credentials of this installation (${failureText}).`,
    `Sign in with ${name} once; the redirect URI to register there is ${redirectUri}.`,
  );
}

function toNames({ id, dialect }: ProviderSettings): Record<'issuer' | 'client' | 'credential', string> {
  if (dialect === 'oidc' || isOAuthType(dialect)) {
    const toName = (member: string): string => `${member} of "${id}" in OIDC_PROVIDERS`;
    return { issuer: toName('issuer'), client: toName('client_id'), credential: 'its client_secret or private_key' };
  }
  const prefix = dialect.toUpperCase();
  const credential = dialect === 'apple' ? 'APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY' : `${prefix}_CLIENT_SECRET`;
  return { issuer: `${prefix}_ISSUER`, client: `${prefix}_CLIENT_ID`, credential };
}

/** Returns no findings if the database cannot be read, such as an embedded one in use, which only one process can open. */
async function checkPeople(examination: Examination): Promise<Finding[]> {
  const { inspection: database } = await examination.database();
  if (database.state !== 'open') return [];
  const { providers } = examination.config;
  const missingProviders = Object.entries(database.sourceAccounts.linkedCounts).filter(
    ([source]) => isProvider(source) && !providers.some(({ issuer }) => issuer === source),
  );
  return [
    ...missingProviders.map(([issuer, count]) =>
      fault(
        `${formatCount(count, 'account belongs to a person', 'accounts belong to people')} of ${issuer}, which is not configured: they cannot sign in.`,
        'Add the provider to OIDC_PROVIDERS again, or unlink the accounts from it (foyer account unlink).',
      ),
    ),
    ...Object.entries(database.peopleWithoutAccount).map(([provider, count]) =>
      hint(
        `In the last 30 days, no account could be created for ${formatCount(count, 'person', 'people')} of ${provider}.`,
        'The audit log contains the reasons (foyer audit --kind provider.refused). If a username is taken, rename or delete the account that has it, or map another claim to username.',
      ),
    ),
  ];
}

/** Only a configured service is checked, because the service of the demo runs only while Foyer runs. */
async function checkRegistration({ config, parts }: Examination): Promise<Finding[]> {
  const { service } = config.registration;
  if (!service || !hasValue('REGISTRATION_URL', parts.env)) return [];
  const pageFailure = await findFailure(service.url);
  const findings = [
    pageFailure === null
      ? ok(`The registration service at ${service.url} answers.`)
      : fault(
          `The registration service at ${service.url} cannot be used (${pageFailure}).`,
          'Start the service, or correct REGISTRATION_URL.',
        ),
  ];
  if (service.proof.kind === 'secret') return findings;
  const { url } = service.proof;
  const keysFailure = await findFailure(url, async (answer) => {
    const { keys } = (await answer.json()) as { keys?: unknown };
    return answer.ok && Array.isArray(keys) && keys.length > 0;
  });
  return [
    ...findings,
    keysFailure === null
      ? ok('The public keys of the registration service can be read.')
      : fault(
          `The public keys of the registration service cannot be read at ${url} (${keysFailure}).`,
          'Correct REGISTRATION_JWKS_URL, or publish the keys at this address.',
        ),
  ];
}

/** @returns the reason why the address cannot be used, or null */
async function findFailure(url: string, isValid?: (answer: Response) => Promise<boolean>): Promise<string | null> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!isValid) {
      await answer.body?.cancel();
      return answer.status < 500 ? null : `HTTP ${answer.status}`;
    }
    return (await isValid(answer)) ? null : `HTTP ${answer.status}, no key set`;
  } catch (error) {
    return error instanceof SyntaxError ? 'not JSON' : explainNetworkError(error);
  }
}
