/**
 * The embedded upstream: a server with Hydra's public and admin API for a first run and for tests without Docker.
 * This file connects its parts; `test/conformance/upstream` compares its answers with a real Hydra.
 */
import type { Core } from './core.js';
import { FlowCodec } from './flow/flow.js';
import { Listener, type RequestHandler } from './http/listener.js';
import { BackChannel } from './logout/back-channel.js';
import { createAdminHandler, createPublicHandler } from './ports.js';
import { Seal } from './seal.js';
import { checkOptions, toSettings, type UpstreamEvent, type UpstreamOptions } from './settings.js';
import { Store } from './store/store.js';
import { removeUnusableRows } from './store/cleanup.js';
import { importProvider } from './tokens/quiet-import.js';
import { Signer } from './tokens/signer.js';
import { createTokenEndpoint } from './tokens/token-endpoint.js';
import { TokenVault } from './tokens/token-vault.js';

export type { UpstreamEvent, UpstreamOptions } from './settings.js';

export interface Upstream {
  publicUrl: string;
  adminUrl: string;
  close(): Promise<void>;
}

const CLEANUP_INTERVAL_MS = 30_000;

/** @throws Error that names the invalid option or the file, PortUnavailable, or the system's error. Then nothing remains open */
export async function startUpstream(options: UpstreamOptions): Promise<Upstream> {
  checkOptions(options);
  const emit = options.onEvent ?? (() => undefined);
  const store = Store.open(options.dataDir, (error) => emit({ type: 'store-failed', error }));
  // Both take time and do not depend on each other.
  const loadPromise = Promise.all([Signer.load(store, options.dataDir !== null), importProvider()]);
  // A rejection while the ports are being opened must not end the process; it is thrown below.
  loadPromise.catch(() => undefined);
  const ports = new Ports();
  try {
    const [publicPort, adminPort] = await ports.listen(options);
    const [signer, library] = await loadPromise;
    const core = createCore({ options, publicPort, store, signer, emit });
    ports.serve({ public: createPublicHandler(core, createTokenEndpoint(core, library)), admin: createAdminHandler(core) });
    const cleanupTimer = startCleanup(core);
    const close = async (): Promise<void> => {
      clearInterval(cleanupTimer);
      core.backChannel.close();
      await ports.close();
      store.close();
    };
    return { publicUrl: `http://localhost:${publicPort}`, adminUrl: `http://localhost:${adminPort}`, close: callOnce(close) };
  } catch (error) {
    // The signer may still be writing a new key into the store.
    await loadPromise.catch(() => undefined);
    await ports.close();
    store.close();
    throw error;
  }
}

/** A port cannot be opened, for example because another program uses it. */
export class PortUnavailable extends Error {
  constructor(
    readonly api: 'public' | 'admin',
    readonly port: number,
    cause: unknown,
  ) {
    super(`The upstream's ${api} port ${port} cannot be used: ${(cause as Error).message}`, { cause });
  }
}

/** The two ports. They are opened before their handlers exist, so that no other program can take them; until then they answer 503. */
class Ports {
  #handlers: Record<'public' | 'admin', RequestHandler> = { public: answerUnready, admin: answerUnready };
  readonly #public = new Listener((req, res) => this.#handlers.public(req, res));
  readonly #admin = new Listener((req, res) => this.#handlers.admin(req, res));

  async listen({ host, publicPort, adminPort }: UpstreamOptions): Promise<[publicPort: number, adminPort: number]> {
    const open = async (api: 'public' | 'admin', port: number): Promise<number> => {
      const listener = api === 'public' ? this.#public : this.#admin;
      return listener.listen(host, port).catch((error: unknown) => {
        throw new PortUnavailable(api, port, error);
      });
    };
    return [await open('public', publicPort), await open('admin', adminPort)];
  }

  serve(handlers: Record<'public' | 'admin', RequestHandler>): void {
    this.#handlers = handlers;
  }

  async close(): Promise<void> {
    await Promise.all([this.#public.close(), this.#admin.close()]);
  }
}

const answerUnready: RequestHandler = (_req, res) => {
  res.statusCode = 503;
  res.end();
};

interface CoreParts {
  options: UpstreamOptions;
  publicPort: number;
  store: Store;
  signer: Signer;
  emit: (event: UpstreamEvent) => void;
}

function createCore({ options, publicPort, store, signer, emit }: CoreParts): Core {
  const nowMs = options.now ?? Date.now;
  const nowSeconds = (): number => Math.floor(nowMs() / 1000);
  const settings = toSettings(options, publicPort);
  const seal = new Seal(options.secret);
  return {
    settings,
    store,
    seal,
    flows: new FlowCodec(seal, { requestTtlSeconds: settings.requestTtlSeconds, nowMs }),
    signer,
    vault: new TokenVault(store, nowSeconds),
    backChannel: new BackChannel((clientId, reason) => emit({ type: 'back-channel-logout-failed', clientId, reason })),
    nowMs,
    nowSeconds,
    emit,
  };
}

function startCleanup({ store, nowSeconds, settings }: Core): NodeJS.Timeout {
  const run = (): void => removeUnusableRows(store, nowSeconds(), settings.requestTtlSeconds);
  run();
  return setInterval(run, CLEANUP_INTERVAL_MS).unref();
}

function callOnce(close: () => Promise<void>): () => Promise<void> {
  let closePromise: Promise<void> | undefined;
  return () => (closePromise ??= close());
}
