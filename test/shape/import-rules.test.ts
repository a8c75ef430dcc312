/** Breaks each import rule once in a scratch tree and checks that the violation is found, and that allowed imports pass. */
import { dirname, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROJECT, ScratchTree } from '../support/scratch-tree.js';

interface Violation {
  from: string;
  rule: { name: string };
}

interface Summary {
  violations: Violation[];
  ruleSetUsed: { forbidden: { name: string }[] };
}

/** The rule, the file that breaks it, and the import. `type:` stands for an import of types. */
const BROKEN: readonly [rule: string, from: string, to: string][] = [
  ['imports-contract', 'src/contract/a.ts', 'src/config/target.ts'],
  ['contract-is-plain', 'src/contract/b.ts', 'node:fs'],
  ['contract-is-plain', 'src/contract/c.ts', 'rxjs'],
  ['imports-config', 'src/config/a.ts', 'src/accounts/target.ts'],
  ['imports-database', 'src/database/a.ts', 'src/accounts/target.ts'],
  ['imports-telemetry', 'src/telemetry/a.ts', 'src/accounts/target.ts'],
  ['imports-hydra', 'src/hydra/a.ts', 'src/gateway/target.ts'],
  ['imports-accounts', 'src/accounts/a.ts', 'src/hydra/target.ts'],
  ['imports-accounts', 'src/accounts/types.ts', 'type:src/gateway/target.ts'],
  ['accounts-account', 'src/accounts/account/a.ts', 'src/accounts/transfer/target.ts'],
  ['accounts-attributes', 'src/accounts/attributes/a.ts', 'src/accounts/sessions/target.ts'],
  ['accounts-audit', 'src/accounts/audit/a.ts', 'src/accounts/limits/target.ts'],
  ['accounts-queue', 'src/accounts/queue/a.ts', 'src/accounts/secrets/target.ts'],
  ['accounts-limits', 'src/accounts/limits/a.ts', 'src/accounts/password/target.ts'],
  ['accounts-sessions', 'src/accounts/sessions/a.ts', 'src/accounts/password/target.ts'],
  ['accounts-secrets', 'src/accounts/secrets/a.ts', 'src/accounts/identities/target.ts'],
  ['accounts-identities', 'src/accounts/identities/a.ts', 'src/accounts/password/target.ts'],
  ['accounts-password', 'src/accounts/password/a.ts', 'src/accounts/identities/target.ts'],
  ['accounts-transfer', 'src/accounts/transfer/a.ts', 'src/accounts/sessions/target.ts'],
  ['accounts-scim', 'src/accounts/scim/a.ts', 'src/accounts/transfer/target.ts'],
  ['accounts-operators', 'src/accounts/operators/a.ts', 'src/accounts/transfer/target.ts'],
  ['accounts-terms', 'src/accounts/terms/a.ts', 'src/accounts/transfer/target.ts'],
  ['accounts-changes', 'src/accounts/changes/a.ts', 'src/accounts/transfer/target.ts'],
  ['accounts-jobs', 'src/accounts/jobs/a.ts', 'src/accounts/transfer/target.ts'],
  ['accounts-folders', 'src/accounts/another/a.ts', 'src/accounts/audit/target.ts'],
  ['imports-accounts-tests', 'src/accounts/a.test.ts', 'src/gateway/target.ts'],
  ['accounts-without-http', 'src/accounts/b.ts', 'node:http'],
  ['imports-providers', 'src/providers/a.ts', 'src/flows/one/target.ts'],
  ['imports-events', 'src/events/a.ts', 'src/manage/one/target.ts'],
  ['imports-mail', 'src/mail/a.ts', 'src/manage/one/target.ts'],
  ['imports-events', 'src/events/a.ts', 'src/operator/target.ts'],
  ['imports-gateway', 'src/gateway/a.ts', 'src/accounts/target.ts'],
  ['imports-webauthn', 'src/webauthn/a.ts', 'src/mfa/target.ts'],
  ['imports-passkeys', 'src/passkeys/a.ts', 'src/mfa/target.ts'],
  ['imports-mfa', 'src/mfa/a.ts', 'src/hydra/target.ts'],
  ['imports-flows', 'src/flows/one/a.ts', 'src/database/target.ts'],
  ['imports-manage', 'src/manage/one/a.ts', 'src/flows/one/target.ts'],
  ['imports-operator', 'src/operator/a.ts', 'src/flows/one/target.ts'],
  ['separate-src-flows', 'src/flows/two/a.ts', 'src/flows/one/target.ts'],
  ['separate-src-flows', 'src/flows/sign-in/a.ts', 'src/flows/one/target.ts'],
  ['separate-src-mfa-factors', 'src/mfa/factors/two/a.ts', 'src/mfa/factors/one/target.ts'],
  ['separate-src-manage', 'src/manage/two/a.ts', 'src/manage/one/target.ts'],
  ['composition-root', 'src/gateway/b.ts', 'src/app.module.ts'],
  ['embedded-apart', 'src/b.ts', 'embedded/launch/target.ts'],
  ['imports-embedded', 'embedded/demo-app/a.ts', 'src/accounts/target.ts'],
  ['separate-embedded', 'embedded/demo-app/b.ts', 'embedded/mailbox/target.ts'],
  ['tests-apart', 'src/gateway/c.ts', 'test/support/target.ts'],
  ['tests-apart', 'src/gateway/d.ts', 'src/gateway/target.test.ts'],
  ['testing-apart', 'src/gateway/i.ts', 'test-kit/target.ts'],
  ['imports-testing', 'test-kit/a.ts', 'src/accounts/target.ts'],
  ['only-in-hydra', 'src/accounts/c.ts', '@ory/client'],
  ['only-in-hydra', 'src/gateway/e.ts', 'axios'],
  ['only-in-gateway', 'src/flows/one/b.ts', 'type:express'],
  ['only-in-database', 'src/accounts/d.ts', 'pg'],
  ['only-in-telemetry', 'src/telemetry/b.ts', '@opentelemetry/api'],
  ['telemetry-loaded-late', 'src/telemetry/c.ts', 'src/telemetry/sdk/target.ts'],
  ['packages-loaded-late', 'src/mail/c.ts', 'nodemailer'],
  ['imports-sources', 'src/sources/a.ts', 'src/accounts/target.ts'],
  ['only-in-ldap', 'src/accounts/ldap.ts', 'ldapts'],
  ['only-in-operator-client', 'src/operator/cli/a.ts', 'openapi-fetch'],
  ['only-in-web', 'src/gateway/f.ts', 'react'],
  ['only-in-console', 'web/ui/c.tsx', '@tanstack/react-query'],
  ['imports-console', 'console/ui/a.ts', 'web/ui/target.ts'],
  ['console-types-only', 'console/api/b.ts', 'src/operator/client/operator-api.ts'],
  ['console-types-only', 'console/api/c.ts', 'src/operator/operations.ts'],
  ['imports-console-fixtures', 'console/fixtures/d.ts', 'src/operator/api/target.ts'],
  ['console-apart', 'src/operator/z.ts', 'console/ui/target.ts'],
  ['console-without-fixtures', 'console/ui/c.ts', 'console/fixtures/target.ts'],
  ['imports-web', 'web/ui/a.ts', 'src/config/target.ts'],
  ['web-pages-apart', 'web/pages/login.tsx', 'web/pages/consent.tsx'],
  ['web-pages-apart', 'web/pages/logout.tsx', 'web/pages/login-hint.tsx'],
  ['web-parts-of-pages', 'web/pages/login-hint.tsx', 'web/pages/login-alert.tsx'],
  ['web-ui-below-pages', 'web/ui/b.ts', 'web/pages/consent.tsx'],
  ['no-cycles', 'src/accounts/about.ts', 'src/accounts/round.ts'],
  ['only-runtime-packages', 'src/gateway/g.ts', 'typescript'],
  ['resolvable', 'src/gateway/h.ts', 'src/gateway/absent.ts'],
];

const ALLOWED: readonly [from: string, to: string][] = [
  ['src/config/allowed.ts', 'src/contract/target.ts'],
  ['src/hydra/allowed.ts', '@ory/client'],
  ['src/database/allowed.ts', 'pg'],
  ['src/telemetry/sdk/allowed.ts', '@opentelemetry/api'],
  ['src/accounts/telling.ts', 'src/telemetry/target.ts'],
  ['src/accounts/allowed.ts', 'src/database/target.ts'],
  ['src/accounts/password/asking.ts', 'src/sources/target.ts'],
  ['src/accounts/allowed-too.ts', 'src/accounts/password/target.ts'],
  ['src/accounts/queue/allowed.ts', 'src/accounts/secrets/one-time-secrets.ts'],
  ['src/accounts/password/allowed.ts', 'src/accounts/limits/target.ts'],
  ['src/mfa/allowed.ts', 'src/database/target.ts'],
  ['src/accounts/allowed.test.ts', 'test/support/target.ts'],
  ['src/gateway/allowed.ts', 'express'],
  ['src/flows/one/allowed.ts', 'src/accounts/target.ts'],
  ['src/flows/one/shared.ts', 'src/flows/sign-in/target.ts'],
  ['src/allowed.ts', 'src/flows/one/target.ts'],
  ['web/ui/allowed.ts', 'src/contract/target.ts'],
  ['web/pages/login-hint-allowed.tsx', 'web/ui/target.ts'],
  ['web/pages/login.test.tsx', 'web/pages/consent.tsx'],
  ['console/api/allowed.ts', 'type:src/operator/client/operator-api.ts'],
  ['console/ui/allowed.test.ts', 'console/fixtures/target.ts'],
  ['console/fixtures/allowed.ts', 'src/operator/operations.ts'],
  ['embedded/launch/allowed.ts', 'src/accounts/target.ts'],
  ['test-kit/allowed.ts', 'src/start-foyer.ts'],
  ['test/flows/allowed.test.ts', 'src/flows/one/target.ts'],
];

/** The tool requires this version of Node.js. */
const OLDEST_NODE = 22;
const isNodeNewEnough = Number.parseInt(process.versions.node, 10) >= OLDEST_NODE;

(isNodeNewEnough ? describe : describe.skip)('the import rules', () => {
  let summary: Summary;
  const tree = new ScratchTree();

  beforeAll(() => {
    tree.write('tsconfig.json', '{ "extends": "../../tsconfig.json" }');
    tree.write('package.json', tree.projectFile('package.json'));
    const sources = new Map<string, string>([['src/accounts/round.ts', "import './about.js';\n"]]);
    for (const [, from, to] of [...BROKEN, ...ALLOWED.map(([from, to]) => ['', from, to] as const)]) {
      sources.set(from, `${sources.get(from) ?? ''}${buildImportLine(from, to)}\n`);
      const file = to.replace('type:', '');
      if (isOwn(file) && !file.includes('absent') && !sources.has(file)) sources.set(file, '');
    }
    for (const [path, source] of sources) tree.write(path, `${source}export type Target = 1;\n`);
    const config = `${PROJECT}.dependency-cruiser.mjs`;
    const output = tree.run('depcruise', [
      '--config',
      config,
      '--output-type',
      'json',
      'src',
      'web',
      'console',
      'embedded',
      'test-kit',
      'test',
    ]);
    ({ summary } = JSON.parse(output) as { summary: Summary });
  }, 60_000);
  afterAll(() => tree.remove());

  const findRules = (file: string): string[] =>
    summary.violations.filter(({ from }) => from === file).map(({ rule }) => rule.name);

  it.each(BROKEN)('%s: %s may not import %s', (rule, from) => {
    expect(findRules(from)).toContain(rule);
  });

  it.each(ALLOWED)('%s may import %s', (from) => {
    expect(findRules(from)).toEqual([]);
  });

  it('has a broken example of each rule', () => {
    const names = summary.ruleSetUsed.forbidden.map(({ name }) => name);
    const proven = new Set(BROKEN.map(([rule]) => rule));
    expect(names).toContain('imports-contract');
    // The rule for the tests of a folder is generated from the same row as the rule of the folder.
    expect(names.filter((name) => !proven.has(name) && !/^imports-.*-tests$/.test(name))).toEqual([]);
  });
});

function isOwn(path: string): boolean {
  return /^(src|web|console|embedded|test-kit|test)\//.test(path);
}

function buildImportLine(from: string, to: string): string {
  const file = to.replace('type:', '');
  const path = isOwn(file) ? `./${relative(dirname(from), file)}`.replace('./..', '..').replace(/\.tsx?$/, '.js') : file;
  return to.startsWith('type:') ? `import type {} from '${path}';` : `import '${path}';`;
}
