import { chmodSync, linkSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigError, type Config } from './config.js';
import { findKeptSecrets, withInstallationSecrets } from './installation-secrets.js';
import { loadConfig } from './load-config.js';

describe('the store of installation secrets', () => {
  let root = '';
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'foyer-secrets-'));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  const loadInstallation = (name: string, env = {}): Config => loadConfig({ DATA_DIR: join(root, name), ...env }).config;

  it('generates secrets once, which only the owner can read, and stores them', () => {
    const firstConfig = withInstallationSecrets(loadInstallation('new'));
    const path = join(root, 'new', 'secrets.json');
    chmodSync(path, 0o644);
    const secondConfig = withInstallationSecrets(loadInstallation('new'));

    expect(firstConfig.secrets[0]).toHaveLength(43);
    expect(firstConfig.operator.token).toHaveLength(43);
    expect(firstConfig.operator.token).not.toBe(firstConfig.secrets[0]);
    expect(secondConfig).toEqual(firstConfig);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, 'new')).mode & 0o777).toBe(0o700);
  });

  it('does not change secrets that are set, and writes no file if none is missing', () => {
    const completeConfig = loadInstallation('set', { SECRETS_SYSTEM: 'own', OPERATOR_TOKEN: 'token' });
    expect(withInstallationSecrets(completeConfig)).toBe(completeConfig);
    expect(() => statSync(join(root, 'set'))).toThrow('ENOENT');

    const partialConfig = withInstallationSecrets(loadInstallation('half', { SECRETS_SYSTEM: 'own' }));
    expect(partialConfig.secrets).toEqual(['own']);
    expect(partialConfig.operator.token).toHaveLength(43);
  });

  it('lets tools that inspect an installation read the secrets without changing anything', () => {
    expect(findKeptSecrets(loadInstallation('looked-at'))).toEqual([]);
    expect(() => statSync(join(root, 'looked-at'))).toThrow('ENOENT');
    const { secrets } = withInstallationSecrets(loadInstallation('looked-at'));
    const path = join(root, 'looked-at', 'secrets.json');
    chmodSync(path, 0o644);
    expect(findKeptSecrets(loadInstallation('looked-at'))).toEqual(secrets);
    expect(statSync(path).mode & 0o777).toBe(0o644);
    expect(findKeptSecrets(loadInstallation('looked-at', { SECRETS_SYSTEM: 'own' }))).toEqual(['own']);
    writeFileSync(path, 'half of');
    expect(findKeptSecrets(loadInstallation('looked-at'))).toEqual([]);
  });

  it('does not write into the draft of another process with the same id, which may run in another container', () => {
    const first = withInstallationSecrets(loadInstallation('shared'));
    const path = join(root, 'shared', 'secrets.json');
    linkSync(path, join(root, 'shared', 'first.json'));
    renameSync(path, `${path}.${process.pid}`);
    withInstallationSecrets(loadInstallation('shared'));
    expect(readFileSync(join(root, 'shared', 'first.json'), 'utf8')).toContain(first.secrets[0]);
  });

  it('does not quote a file that it cannot read, and does not replace it, because encrypted data would be lost', () => {
    withInstallationSecrets(loadInstallation('broken'));
    const path = join(root, 'broken', 'secrets.json');
    for (const content of ['', '{"system":"kept', '{"system":"short","operatorToken":"short"}', 'null']) {
      writeFileSync(path, content);
      const start = (): Config => withInstallationSecrets(loadInstallation('broken'));
      expect(start).toThrow(ConfigError);
      expect(start).toThrow(/^((?!kept|short).)*$/s);
      expect(readFileSync(path, 'utf8')).toBe(content);
    }
  });

  it('names the setting if the directory cannot be used', () => {
    writeFileSync(join(root, 'file'), '');
    expect(() => withInstallationSecrets(loadInstallation('file'))).toThrow(
      /DATA_DIR: .*file.* cannot be used for data \(E(NOTDIR|EXIST)\)/,
    );
  });
});
