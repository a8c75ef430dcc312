/** The settings of the example user source, which `npm start` starts. */
import type { Config } from './config.js';
import type { HttpSettings, SourceSettings } from './source-settings.js';

/** @param port the value of `EMBEDDED_PEOPLE_PORT` */
export function buildDemoSource(port: number): HttpSettings {
  const url = buildDemoSourceUrl(port);
  return {
    ...{ type: 'http', id: 'demo-people', url, issuer: url, proof: { kind: 'jwks', url: `${url}/jwks` } },
    ...{ emailVerified: true, attributes: {}, groups: { most: 100, groupName: false }, migrate: false, timeoutMs: 3000 },
  };
}

export function buildDemoSourceUrl(port: number): string {
  return `http://localhost:${port}`;
}

export function isDemoSource(
  source: SourceSettings,
  { embedded, embeddedPorts }: Pick<Config, 'embedded' | 'embeddedPorts'>,
): boolean {
  return embedded && source.type === 'http' && source.url === buildDemoSourceUrl(embeddedPorts.people);
}

/** @returns whether the settings use the example user source, which then has to be started */
export function usesDemoSource(config: Pick<Config, 'embedded' | 'embeddedPorts' | 'sources'>): boolean {
  return config.sources.some((source) => isDemoSource(source, config));
}
