/** The example user source, as the gateway of a test calls it. */
import type { Logger } from 'pino';
import { startPeopleService, type ServicePerson } from '../../embedded/people/people-service.js';
import type { Clock } from '../../src/config/clock.js';
import { Keys } from '../../src/config/keys.js';
import { deriveSigningKeys } from '../../src/config/signing-keys.js';
import { buildUserSourcesKind } from '../../src/config/source-kinds.js';
import type { HttpSettings } from '../../src/config/source-settings.js';
import { json } from '../../embedded/site/reply.js';
import { startSite } from '../../embedded/site/start-site.js';
import type { HttpSourceParts } from '../../src/sources/http/http-source.js';
import { TestClock } from './test-clock.js';
import { testConfig } from './test-config.js';

/** The longest time limit that the settings allow, which a busy machine alone does not reach. */
const TIMEOUT_MS = 20_000;
/** Settings of the gateway of a test. */
const { publicUrl, secrets } = testConfig();

export class TestPeopleService {
  private constructor(
    readonly people: ServicePerson[],
    readonly url: string,
    private readonly stop: () => Promise<void>,
  ) {}

  /** @param keys the keys that sign the questions; by default those of the gateway of a test */
  static async start(people: ServicePerson[], keys = new Keys(secrets)): Promise<TestPeopleService> {
    const published = { keys: (await deriveSigningKeys(keys, 'source-question')).map(({ publicJwk }) => publicJwk) };
    const foyer = await startSite({
      host: 'localhost',
      port: 0,
      headers: {},
      routes: { 'GET /sources/jwks': () => json(published) },
    });
    const service = await startPeopleService({
      host: 'localhost',
      port: 0,
      foyerUrl: publicUrl,
      foyerKeysUrl: `${foyer.url}/sources/jwks`,
      people,
    });
    return new TestPeopleService(people, service.url, async () => {
      await Promise.all([service.close(), foyer.close()]);
    });
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** The settings as `USER_SOURCES` would have them. */
  settings(more: Record<string, unknown> = {}): HttpSettings {
    return httpSettings({ id: 'staff', url: this.url, issuer: this.url, jwks_url: `${this.url}/jwks`, ...more });
  }

  close(): Promise<void> {
    return this.stop();
  }
}

export function httpSettings(entry: Record<string, unknown>): HttpSettings {
  const reading = buildUserSourcesKind(() => '').read(JSON.stringify([{ type: 'http', timeout_ms: TIMEOUT_MS, ...entry }]));
  if ('fault' in reading) throw new Error(reading.fault);
  const [settings] = reading.value;
  if (settings?.type !== 'http') throw new Error('This is not a source over HTTP.');
  return settings;
}

/** The parts that the gateway of a test gives to a source. */
export function sourceParts(log: Logger, clock: Clock = new TestClock()): HttpSourceParts {
  return { clock, log, keys: new Keys(secrets), publicUrl };
}
