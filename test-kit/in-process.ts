/**
 * Starts Foyer in this process, with its own database in a temporary folder and a mailbox. Foyer runs in front of the embedded upstream, which
 * uses the same clock, or in front of an existing Hydra.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../src/config/config.js';
import { Keys } from '../src/config/keys.js';
import { loadConfig } from '../src/config/load-config.js';
import { buildGatewayUrls } from '../embedded/upstream/gateway-urls.js';
import { startFoyer } from '../src/start-foyer.js';
import { findFreePorts } from './free-ports.js';
import type { EmbeddedOptions, Installation, UpstreamOptions } from './installation.js';
import { KitError } from './kit-error.js';
import { MovableClock } from './movable-clock.js';
import { StartedParts } from './started-parts.js';

const HOST = 'localhost';
/** The start is repeated, because another program may take a free port before this process opens it. */
const ATTEMPTS = 3;

interface Upstream {
  publicUrl: string;
  adminUrl: string;
}

interface InstallationParts {
  parts: StartedParts;
  clock: MovableClock;
  port: number;
  operatorPort: number;
  providersPort: number;
  secret: string;
}

/** @throws ConfigError for settings with faults, KitError for a missing package, or the error of a server that cannot listen */
export async function startEmbedded(options: EmbeddedOptions, attempts = ATTEMPTS): Promise<Installation> {
  const [port = 0, operatorPort = 0, providersPort = 0] = await findFreePorts(3);
  try {
    return await StartedParts.startAll(async (parts) => {
      const installationParts = { ...buildInstallationParts(parts), port, operatorPort, providersPort };
      return startInstallation(installationParts, await startUpstream(installationParts), options);
    });
  } catch (error) {
    if (attempts <= 1 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return startEmbedded(options, attempts - 1);
  }
}

/**
 * @throws KitError if no Hydra answers at the admin address or a package is missing, ConfigError for settings with faults, or the error of a
 * server that cannot listen
 */
export async function startInFrontOfHydra({
  port,
  hydraPublicUrl,
  hydraAdminUrl,
  settings,
}: UpstreamOptions): Promise<Installation> {
  const [operatorPort = 0] = await findFreePorts(1);
  const upstream = { publicUrl: removeSlash(hydraPublicUrl), adminUrl: removeSlash(hydraAdminUrl) };
  await requireAnswer(upstream.adminUrl);
  return StartedParts.startAll(async (parts) => {
    const installationParts = { ...buildInstallationParts(parts), port, operatorPort, providersPort: 0 };
    const installation = await startInstallation(installationParts, upstream, settings ? { settings } : {});
    return { ...installation, mode: 'upstream', clock: null };
  });
}

const buildInstallationParts = (parts: StartedParts): Pick<InstallationParts, 'parts' | 'clock' | 'secret'> => ({
  parts,
  clock: new MovableClock(),
  secret: randomBytes(32).toString('base64url'),
});

async function startUpstream({ parts, port, clock, secret }: InstallationParts): Promise<Upstream> {
  const urls = buildGatewayUrls(`http://${HOST}:${port}`);
  const settings = { host: HOST, publicPort: 0, adminPort: 0, urls, dataDir: null, secret, now: () => clock.now().getTime() };
  const start = importOptional('oidc-provider', async () => {
    const { startUpstream: startUpstreamServer } = await import('../embedded/upstream/start-upstream.js');
    return startUpstreamServer(settings);
  });
  return parts.add(start);
}

async function startInstallation(
  installationParts: InstallationParts,
  upstream: Upstream,
  { settings = {}, providers = false }: EmbeddedOptions,
): Promise<Installation> {
  const { parts, clock } = installationParts;
  const operatorToken = randomBytes(32).toString('base64url');
  const { startMailbox } = await importOptional('smtp-server postal-mime', () => import('../embedded/mailbox/start-mailbox.js'));
  const mailbox = await parts.add(startMailbox({ host: HOST, smtpPort: 0, webPort: 0 }));
  const dataDir = await mkdtemp(join(tmpdir(), 'foyer-testing-'));
  await parts.add(Promise.resolve({ close: () => rm(dataDir, { recursive: true, force: true }) }));
  const defaults = {
    ...buildSettings(installationParts, upstream),
    DATA_DIR: dataDir,
    OPERATOR_TOKEN: operatorToken,
    SMTP_URL: mailbox.smtpUrl,
  };
  const { config } = loadConfig({ ...defaults, ...settings });
  const demoProviders = providers ? await startProviders(installationParts, config) : null;
  const gateway = await parts.add(startFoyer(demoProviders ? { ...config, providers: demoProviders.providers } : config, clock));
  return {
    mode: 'embedded',
    foyerUrl: config.publicUrl,
    hydraPublicUrl: upstream.publicUrl,
    hydraAdminUrl: upstream.adminUrl,
    operatorUrl: gateway.operatorUrl.replace('[::1]', HOST).replace('127.0.0.1', HOST),
    operatorToken,
    mailboxUrl: mailbox.url,
    providersUrl: demoProviders?.url ?? null,
    clock,
    stop: () => parts.stop(),
  };
}

/** The settings for tests: fast hashes, because no real secrets are stored, and no drain time. */
function buildSettings(
  { port, operatorPort, providersPort, secret }: InstallationParts,
  { publicUrl, adminUrl }: Upstream,
): Record<string, string> {
  return {
    PUBLIC_URL: `http://${HOST}:${port}`,
    HOST,
    PORT: String(port),
    OPERATOR_HOST: HOST,
    OPERATOR_PORT: String(operatorPort),
    HYDRA_PUBLIC_URL: publicUrl,
    HYDRA_ADMIN_URL: adminUrl,
    EMBEDDED_PROVIDERS_PORT: String(providersPort || 1),
    SECRETS_SYSTEM: secret,
    HASH_MEMORY_KIB: '1024',
    HASH_ITERATIONS: '1',
    HTTP_DRAIN_MS: '0',
    LOG_LEVEL: 'silent',
  };
}

async function startProviders(
  { parts, clock, providersPort }: InstallationParts,
  config: Config,
): Promise<{ url: string; providers: Config['providers'] }> {
  const { setUpDemoProviders } = await import('../embedded/launch/demo-providers.js');
  const { startDemoProviders } = await import('../embedded/demo-providers/start-demo-providers.js');
  const { providers, clients } = setUpDemoProviders(config, new Keys(config.secrets));
  const site = await parts.add(startDemoProviders({ host: HOST, port: providersPort, clients, now: () => clock.now() }));
  return { url: site.url, providers };
}

async function requireAnswer(adminUrl: string): Promise<void> {
  const answer = await fetch(`${adminUrl}/health/ready`).catch(() => null);
  if (!answer?.ok) throw new KitError(`No Hydra answers at ${adminUrl}/health/ready.`);
}

/** @param packages names of the packages that the import needs; they are optional for Foyer itself */
async function importOptional<Result>(packages: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
    throw new KitError(`This part of foyer/testing needs additional packages: npm install --save-dev ${packages}`, {
      cause: error,
    });
  }
}

const removeSlash = (url: string): string => url.replace(/\/$/, '');
