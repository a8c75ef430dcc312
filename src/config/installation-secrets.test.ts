import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigError, type Config } from './config.js';
import { findKeptSecrets, withInstallationSecrets } from './installation-secrets.js';
import { loadConfig } from './load-config.js';

describe('withInstallationSecrets', () => {
  let root = '';
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'foyer-secrets-'));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  const installation = (name: string, env = {}): Config => loadConfig({ DATA_DIR: join(root, name), ...env }).config;

  it('generates secrets once, which only the owner can read, and stores them', () => {
    const first = withInstallationSecrets(installation('new'));
    const path = join(root, 'new', 'secrets.json');
    chmodSync(path, 0o644);
    const second = withInstallationSecrets(installation('new'));

    expect(first.secrets[0]).toHaveLength(43);
    expect(first.operator.token).toHaveLength(43);
    expect(first.operator.token).not.toBe(first.secrets[0]);
    expect(second).toEqual(first);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, 'new')).mode & 0o777).toBe(0o700);
  });

  it('does not change secrets that are set, and writes no file if none is missing', () => {
    const complete = installation('set', { SECRETS_SYSTEM: 'own', OPERATOR_TOKEN: 'token' });
    expect(withInstallationSecrets(complete)).toBe(complete);
    expect(() => statSync(join(root, 'set'))).toThrow('ENOENT');

    const partial = withInstallationSecrets(installation('half', { SECRETS_SYSTEM: 'own' }));
    expect(partial.secrets).toEqual(['own']);
    expect(partial.operator.token).toHaveLength(43);
  });

  it('lets tools that inspect an installation read the secrets without changing anything', () => {
    expect(findKeptSecrets(installation('looked-at'))).toEqual([]);
    expect(() => statSync(join(root, 'looked-at'))).toThrow('ENOENT');
    const { secrets } = withInstallationSecrets(installation('looked-at'));
    const path = join(root, 'looked-at', 'secrets.json');
    chmodSync(path, 0o644);
    expect(findKeptSecrets(installation('looked-at'))).toEqual(secrets);
    expect(statSync(path).mode & 0o777).toBe(0o644);
    expect(findKeptSecrets(installation('looked-at', { SECRETS_SYSTEM: 'own' }))).toEqual(['own']);
    writeFileSync(path, 'half of');
    expect(findKeptSecrets(installation('looked-at'))).toEqual([]);
  });

  it('neither replaces nor quotes a file that it cannot read, because encrypted data would be lost', () => {
    withInstallationSecrets(installation('broken'));
    const path = join(root, 'broken', 'secrets.json');
    for (const content of ['', '{"system":"kept', '{"system":"short","operatorToken":"short"}', 'null']) {
      writeFileSync(path, content);
      const start = (): Config => withInstallationSecrets(installation('broken'));
      expect(start).toThrow(ConfigError);
      expect(start).toThrow(/^((?!kept|short).)*$/s);
      expect(readFileSync(path, 'utf8')).toBe(content);
    }
  });

  it('names the setting if the directory cannot be used', () => {
    writeFileSync(join(root, 'file'), '');
    expect(() => withInstallationSecrets(installation('file'))).toThrow(
      /DATA_DIR: .*file.* cannot be used for data \(E(NOTDIR|EXIST)\)/,
    );
  });
});
