import { describe, expect, it } from '@jest/globals';
import { ConfigError } from './config.js';
import type { Environment } from './settings-read.js';
import { loadConfig, surveyConfig } from './load-config.js';

const SECRET = 'kVd0pZ7m2QxR4tYb9NcW1sHfJ6gLu3Ea';
const OTHER_SECRET = 'Zq8wE5rT2yU7iO1pA4sD9fG3hJ6kL0xC';

const CONSOLE_URL = 'https://console.example.com';

const PRODUCTION: Environment = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://login.example.com',
  HYDRA_ADMIN_URL: 'https://hydra-admin.internal',
  HYDRA_PUBLIC_URL: 'https://auth.example.com',
  DATABASE_URL: 'postgres://foyer:geheim@db.internal/foyer?sslmode=verify-full',
  SECRETS_SYSTEM: SECRET,
  OPERATOR_TOKEN: OTHER_SECRET,
  SMTP_URL: 'smtp://foyer:geheim@mail.internal?starttls=required',
  TRUST_PROXY: '1',
  PASSWORD_MIN_LENGTH: '8',
};

/** @returns every fault of an environment */
function findFaults(env: Environment): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

const findProductionFaults = (changes: Environment): readonly string[] => findFaults({ ...PRODUCTION, ...changes });
const findWarnings = (env: Environment): readonly string[] => loadConfig(env).warnings;

describe('loadConfig without any setting', () => {
  it('configures all embedded parts, on localhost', () => {
    const { config } = loadConfig({});
    expect(config).toMatchObject({
      mode: 'development',
      publicUrl: 'http://localhost:3000',
      host: 'localhost',
      embedded: true,
      hydra: { adminUrl: 'http://localhost:4445', publicUrl: 'http://localhost:4444' },
      secrets: [],
      app: { loginAddress: 'localhost:3000', footer: [] },
    });
    expect(config.database).toEqual({ poolSize: 10, dataDir: '.foyer' });
    expect(config.operator).toEqual({
      host: 'localhost',
      port: 3001,
      hostNames: [],
      tokens: [],
      rules: [],
      approval: 'off',
      supportCheck: false,
      trustProxyHops: 0,
    });
    expect(config.mail).toEqual({
      server: { host: 'localhost', port: 1025, encryption: 'none' },
      from: { name: 'Foyer', address: 'no-reply@localhost' },
    });
  });

  it('treats an empty value as not set, and uses the ports that are set', () => {
    const { config } = loadConfig({ PUBLIC_URL: ' ', PORT: '15800', EMBEDDED_UPSTREAM_ADMIN_PORT: '15801' });
    expect(config.publicUrl).toBe('http://localhost:15800');
    expect(config.hydra.adminUrl).toBe('http://localhost:15801');
  });

  it('warns about the password minimum and names the standards', () => {
    expect(findWarnings({})).toEqual([expect.stringMatching(/^PASSWORD_MIN_LENGTH: 6 .*ASVS 6\.2\.1.*NIST SP 800-63B-4/)]);
    expect(findWarnings({ PASSWORD_MIN_LENGTH: '8' })).toEqual([]);
    expect(findWarnings({ PASSWORD_PROFILE: 'nist' })).toEqual([]);
  });
});

describe('loadConfig with values', () => {
  it('[VAL-1] uses the minimum lengths of NIST with PASSWORD_PROFILE=nist, and refuses rules about characters', () => {
    const readLengths = (env: Record<string, string>) => {
      const { minLength, minLengthAlone } = loadConfig(env).config.password;
      return [minLength, minLengthAlone];
    };
    expect(readLengths({})).toEqual([6, undefined]);
    expect(readLengths({ PASSWORD_PROFILE: 'nist' })).toEqual([8, 15]);
    expect(readLengths({ PASSWORD_PROFILE: 'nist', PASSWORD_MIN_LENGTH: '10' })).toEqual([10, 15]);
    expect(readLengths({ PASSWORD_PROFILE: 'nist', PASSWORD_MIN_LENGTH: '20' })).toEqual([20, 20]);
    expect(() => loadConfig({ PASSWORD_PROFILE: 'nist', PASSWORD_REQUIRE_DIGIT: 'true' })).toThrow(
      /PASSWORD_REQUIRE_DIGIT: must not be set together/,
    );
  });

  it.each<[Environment, { memoryKiB: number; iterations: number }]>([
    [{}, { memoryKiB: 19_456, iterations: 2 }],
    [{ PASSWORD_HASH: 'argon2id-9m' }, { memoryKiB: 9216, iterations: 4 }],
    [{ HASH_ITERATIONS: '3' }, { memoryKiB: 19_456, iterations: 3 }],
    [{ HASH_MEMORY_KIB: '65536' }, { memoryKiB: 65_536, iterations: 2 }],
  ])('accepts hashes that are as strong as a pair from the OWASP list: %j', (env, cost) => {
    expect(loadConfig(env).config.hashing).toMatchObject(cost);
    expect(findWarnings({ ...PRODUCTION, ...env })).toEqual([]);
  });

  it('reads lists, links, secrets and the scope catalogue', () => {
    const { config } = loadConfig({
      SECRETS_SYSTEM: `${SECRET}, ${OTHER_SECRET}`,
      IMPRINT_URL_DE: 'https://example.com/impressum/',
      RETURN_ORIGINS: 'https://a.example.com,\nhttps://b.example.com/',
      CONSENT_SCOPES: '{"invoices":{"title":{"de":"Rechnungen","en":"Invoices"}}}',
      REMEMBER: 'off',
    });
    expect(config.secrets).toEqual([SECRET, OTHER_SECRET]);
    expect(config.app.footer).toEqual([{ id: 'imprint', urls: { de: 'https://example.com/impressum' } }]);
    expect(config.app.returnOrigins).toEqual(['https://a.example.com', 'https://b.example.com']);
    expect(config.consent.scopes['invoices']).toEqual({ title: { de: 'Rechnungen', en: 'Invoices' } });
    expect(config.login.remember).toBe('off');
  });

  it.each([{}, { CONSENT_SCOPES: '{"a":{"title":{"en":"A","de":"A"}}}' }])('finds no scope called constructor in %j', (env) => {
    expect(loadConfig(env).config.consent.scopes['constructor']).toBeUndefined();
  });

  it('reads secrets from files, and names a file that cannot be read', () => {
    const files: Record<string, string> = { '/run/secrets/system': `${SECRET}\n${OTHER_SECRET}\n`, '/run/secrets/empty': '\n' };
    const readFile = (path: string): string => {
      const content = files[path];
      if (content === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      return content;
    };
    expect(loadConfig({ SECRETS_SYSTEM_FILE: '/run/secrets/system' }, readFile).config.secrets).toEqual([SECRET, OTHER_SECRET]);
    expect(() => loadConfig({ OPERATOR_TOKEN_FILE: '/run/secrets/none' }, readFile)).toThrow(
      /OPERATOR_TOKEN_FILE: .*none.*ENOENT/,
    );
    expect(() => loadConfig({ OPERATOR_TOKEN_FILE: '/run/secrets/empty' }, readFile)).toThrow(/is empty/);
    expect(() => loadConfig({ OPERATOR_TOKEN_FILE: '/x', OPERATOR_TOKEN: SECRET }, readFile)).toThrow(
      /together with OPERATOR_TOKEN_FILE/,
    );
  });

  it('removes the last slash of a path, but not of a query or a fragment', () => {
    const readUrl = (url: string) => loadConfig({ HOME_URL: url }).config.app.homeUrl;
    expect(readUrl('https://app.example.com/start/')).toBe('https://app.example.com/start');
    for (const url of ['https://app.example.com/#/', 'https://app.example.com/start?return=/']) expect(readUrl(url)).toBe(url);
  });

  it.each([
    [{ PORT: 'abc' }, 'PORT: "abc" is not a whole number from 1 to 65535'],
    [{ PORT: '70000' }, 'PORT: "70000" is not'],
    [{ PORT: '0' }, 'PORT: "0" is not'],
    [{ PORT: '1e3' }, 'PORT: "1e3" is not'],
    [{ NODE_ENV: 'prod' }, 'NODE_ENV: "prod" is not one of development, test, production'],
    [{ REMEMBER: 'yes' }, 'REMEMBER: "yes" is not one of on, off, ask'],
    [{ CONSENT_STRICT_SCOPES: '1' }, 'CONSENT_STRICT_SCOPES: "1" is neither true nor false'],
    [{ PUBLIC_URL: 'localhost:3000' }, 'PUBLIC_URL: "localhost:3000" is not an address'],
    [{ PUBLIC_URL: 'javascript:alert(1)' }, 'is not an address'],
    [{ PUBLIC_URL: 'https://a.example.com/login' }, 'has more than scheme, host and port'],
    [{ PUBLIC_URL: 'https://a.example.com?x=1' }, 'has more than scheme, host and port'],
    [{ PUBLIC_URL: 'https://me:word@a.example.com' }, 'must not contain a username or password'],
    [{ GOOGLE_ISSUER: 'https://accounts.example.com/?tenant=1' }, 'must not contain a query or fragment'],
    [{ IMPRINT_URL_EN: 'javascript:alert(1)' }, 'IMPRINT_URL_EN: "javascript:alert(1)" is not an address'],
    [{ APP_NAME: 'a\u0007b' }, 'APP_NAME: "a\\u0007b" contains control characters'],
    [{ RETURN_ORIGINS: 'https://a.example.com,b' }, 'has an entry that is not an address'],
    [{ CONSENT_SCOPES: '{' }, 'CONSENT_SCOPES: "{" cannot be read as JSON (line 1, column 2)'],
    [{ CONSENT_SCOPES: '[]' }, 'is not a JSON object of scopes'],
    [{ CONSENT_SCOPES: '{"a":{"title":{"german":"A"}}}' }, 'has "a" in another form than'],
    [{ CONSENT_SCOPES: '{"a":{"title":{}}}' }, 'has "a" in another form than'],
    [{ CONSENT_SCOPES: '{"a":{"title":{"en":"A"},"icon":"x"}}' }, 'has "a" in another form than'],
    [{ BRAND_COLOUR: 'red;}' }, 'is not a colour'],
    [{ BRAND_RADIUS: '8px;}' }, 'is not a length'],
    [{ HYDRA_ADMIN_CA: 'abc' }, 'is not a certificate'],
    [{ HYDRA_ADMIN_URL: 'http://localhost:4445' }, 'HYDRA_PUBLIC_URL: is missing'],
    [{ HYDRA_PUBLIC_URL: 'http://localhost:4444' }, 'HYDRA_ADMIN_URL: is missing'],
    [{ OPERATOR_PORT: '3000' }, 'PORT, OPERATOR_PORT: cannot share the port 3000; set different ports'],
    [{ PORT: '4444' }, 'PORT, EMBEDDED_UPSTREAM_PUBLIC_PORT: cannot share'],
    [{ HTTP_HEADERS_TIMEOUT_MS: '31000' }, 'must not be longer than HTTP_REQUEST_TIMEOUT_MS'],
    [{ LIMIT_ACCOUNT_FIRST_WAIT_SECONDS: '901' }, 'must not be longer than LIMIT_ACCOUNT_LONGEST_WAIT_SECONDS'],
    [{ LIMIT_ACCOUNT_STOP_AT: '5' }, 'must be below LIMIT_ACCOUNT_STOP_AT'],
  ])('refuses %j', (env, fault) => {
    expect(findFaults(env as Environment)).toEqual([expect.stringContaining(fault)]);
  });

  it.each(['?tenant=1', '#admin', '?'])(
    'refuses an address of Hydra that ends in %s, because paths are appended to it',
    (end) => {
      const upstream = { HYDRA_ADMIN_URL: 'http://localhost:4445', HYDRA_PUBLIC_URL: `http://localhost:4444/${end}` };
      expect(findFaults(upstream)).toEqual([expect.stringContaining('must not contain a query or fragment')]);
    },
  );

  it('reports all faults together', () => {
    const faults = findFaults({ PORT: 'x', THEME: 'pink', DATABASE_URL: 'mysql://x', HYDRA_ADMIN_URL: 'http://localhost:4445' });
    expect(faults.map((fault) => fault.split(':')[0])).toEqual(['PORT', 'DATABASE_URL', 'THEME', 'HYDRA_PUBLIC_URL']);
  });

  it.each([
    [{ LOGO_URL: 'logo.svg', LOGO_DARK_URL: 'https://a.example.com/dark.svg' }, 'LOGO_URL'],
    [{ PUBLIC_URL: 'https://login.example.com/path', PASSKEY_RP_ID: 'example.com' }, 'PUBLIC_URL'],
    [{ SMTP_URL: 'mail.internal', EMAIL_PROOF: 'required' }, 'SMTP_URL'],
    [{ SMTP_URL: 'mail.internal', REGISTRATION: 'own' }, 'SMTP_URL'],
  ])('does not report %j as incomplete, because the only fault is that of %s', (changes, name) => {
    expect(findProductionFaults(changes as Environment)).toEqual([
      expect.stringMatching(new RegExp(`^${name}: (".*"|the value) `)),
    ]);
  });

  it('shortens a value before a character that does not fit as a whole', () => {
    expect(findFaults({ THEME: `${'x'.repeat(59)}😀` })).toEqual([expect.stringContaining(`"${'x'.repeat(59)}…"`)]);
  });

  it('never repeats a secret or the password of an address', () => {
    const faults = findProductionFaults({
      SECRETS_SYSTEM: 'kurz-und-geheim',
      OPERATOR_TOKEN: 'wort mit leerzeichen',
      DATABASE_URL: 'mysql://foyer:geheim@db/foyer',
      SMTP_URL: 'smtp://foyer:geheim@mail/x',
      PUBLIC_URL: 'https://me:geheim@a.example.com',
      FOOTER_LINKS: '{"terms":{"fr":"https://a:geheim@b","de":"https://a:geheim@c"}}',
    });
    expect(faults).toHaveLength(6);
    expect(faults.join()).not.toMatch(/geheim|leerzeichen/);
    for (const url of ['https://me:x/geheim@a.example.com', 'https://me:x@geheim@a.example.com'])
      expect(findFaults({ PUBLIC_URL: url }).join()).not.toContain('geheim');
  });

  it('ignores the ports of embedded parts if none starts', () => {
    const upstream = { HYDRA_ADMIN_URL: 'http://localhost:4445', HYDRA_PUBLIC_URL: 'http://localhost:4444' };
    expect(loadConfig({ ...upstream, PORT: '5555' }).config.embedded).toBe(false);
  });
});

describe('loadConfig in production', () => {
  it('accepts a complete environment without a warning', () => {
    const { config, warnings } = loadConfig(PRODUCTION);
    expect(warnings).toEqual([]);
    expect(config).toMatchObject({ mode: 'production', embedded: false, secrets: [SECRET], http: { drainMs: 5000 } });
  });

  it('requires every setting that has no safe default', () => {
    const names = ['PUBLIC_URL', 'HYDRA_ADMIN_URL', 'HYDRA_PUBLIC_URL', 'DATABASE_URL', 'SECRETS_SYSTEM', 'OPERATOR_TOKEN'];
    expect(findFaults({ NODE_ENV: 'production' })).toEqual(
      [...names, 'TRUST_PROXY'].map((name) => expect.stringContaining(`${name}: is required in production`)),
    );
  });

  it.each(['PUBLIC_URL', 'HYDRA_ADMIN_URL', 'TRUST_PROXY'])('does not take %s as set if it is only in a file', (name) => {
    const faults = findProductionFaults({ [name]: '', [`${name}_FILE`]: '/run/setting' });
    expect(faults).toContainEqual(expect.stringContaining(`${name}: is required in production`));
    expect(faults).toContain(`${name}_FILE: is not a setting; ${name} cannot be read from a file`);
  });

  it.each([
    [{ PUBLIC_URL: 'http://login.example.com' }, 'PUBLIC_URL: must be https'],
    [{ PUBLIC_URL: 'http://localhost:3000' }, 'PUBLIC_URL: must be https'],
    [{ HYDRA_PUBLIC_URL: 'http://auth.example.com' }, 'HYDRA_PUBLIC_URL: must be https'],
    [{ SECRETS_SYSTEM: ',' }, 'SECRETS_SYSTEM: contains no secret'],
    [{ TRUST_PROXY: '' }, 'TRUST_PROXY: is required in production: the number of proxies'],
    [{ SECRETS_SYSTEM: 'short' }, 'SECRETS_SYSTEM: secret 1 is shorter than 32 characters'],
    [{ SECRETS_SYSTEM: `${SECRET},changeme-changeme-changeme-changeme` }, 'SECRETS_SYSTEM: secret 2 looks like a sample'],
    [{ SECRETS_SYSTEM: 'a'.repeat(40) }, 'is not random'],
    [{ SECRETS_SYSTEM: `${SECRET},${SECRET}` }, 'SECRETS_SYSTEM: secret 2 equals secret 1 in SECRETS_SYSTEM'],
    [{ OPERATOR_TOKEN: SECRET }, 'OPERATOR_TOKEN: the token equals secret 1 in SECRETS_SYSTEM'],
    [{ OPERATOR_TOKEN: 'admin' }, 'OPERATOR_TOKEN: the token is shorter'],
    [{ SMTP_URL: 'smtp://mail.internal' }, 'SMTP_URL: is plain SMTP'],
    [{ HYDRA_ADMIN_TOKEN: OTHER_SECRET }, 'HYDRA_ADMIN_TOKEN: the token equals the token in OPERATOR_TOKEN'],
    [{ HASH_MEMORY_KIB: '1024' }, 'HASH_MEMORY_KIB, HASH_ITERATIONS: 1024 KiB with 2 passes is weaker'],
    [{ HASH_MEMORY_KIB: '7168', HASH_ITERATIONS: '4' }, 'HASH_MEMORY_KIB, HASH_ITERATIONS: 7168 KiB with 4 passes is weaker'],
    [{ PASSWORD_HASH: 'argon2id-7m', HASH_ITERATIONS: '5' }, 'PASSWORD_HASH: must not be set together with HASH_ITERATIONS'],
    [{ PASSWORD_HASH: 'argon2id-5m' }, 'PASSWORD_HASH: '],
  ])('refuses %j', (changes, fault) => {
    expect(findProductionFaults(changes as Environment)).toEqual([expect.stringContaining(fault)]);
  });

  it.each([
    [{ HYDRA_ADMIN_URL: 'http://hydra:4445' }, 'HYDRA_ADMIN_URL: is plain http'],
    [{ HYDRA_ADMIN_URL: 'http://127.hydra.example:4445' }, 'HYDRA_ADMIN_URL: is plain http'],
    [{ CONSOLE_URL, HYDRA_INTERNAL_URL: 'http://hydra:4444' }, 'HYDRA_INTERNAL_URL: is plain http'],
    [{ HYDRA_ADMIN_URL: 'https://hydra/admin' }, 'HYDRA_ADMIN_URL: ends with /admin'],
    [{ TRUST_PROXY: '0' }, 'TRUST_PROXY: is 0'],
    [{ SMTP_URL: '' }, 'SMTP_URL: is not set'],
    [{ OPERATOR_HOST: '0.0.0.0' }, 'OPERATOR_HOST: the operator API speaks plain http'],
    [{ DATABASE_URL: 'postgres://db.internal/foyer' }, 'DATABASE_URL: has no sslmode'],
    [{ PASSWORD_REQUIRE_DIGIT: 'true' }, 'PASSWORD_REQUIRE_DIGIT: rules'],
  ])('warns about %j', (changes, warning) => {
    expect(findWarnings({ ...PRODUCTION, ...changes })).toEqual([expect.stringContaining(warning)]);
  });

  it('accepts any token of the admin API', () => {
    expect(findWarnings({ ...PRODUCTION, HYDRA_ADMIN_TOKEN: 'short' })).toEqual([]);
  });

  it('does not warn about HYDRA_INTERNAL_URL on this machine, or without the console, which alone uses it', () => {
    expect(findWarnings({ ...PRODUCTION, CONSOLE_URL, HYDRA_INTERNAL_URL: 'http://localhost:4444' })).toEqual([]);
    expect(findWarnings({ ...PRODUCTION, HYDRA_INTERNAL_URL: 'http://hydra:4444' })).toEqual([]);
  });

  it.each(['http://localhost:4445', 'http://127.0.0.1:4445', 'http://[::1]:4445'])(
    'does not warn about plain http to %s',
    (url) => {
      expect(findWarnings({ ...PRODUCTION, HYDRA_ADMIN_URL: url })).toEqual([]);
    },
  );
});

describe('mail in the configuration', () => {
  const upstream = { HYDRA_ADMIN_URL: 'http://localhost:4445', HYDRA_PUBLIC_URL: 'http://localhost:4444' };

  it('is off if no server is set and the mailbox does not run, with a warning about the features that need mails', () => {
    const { config, warnings } = loadConfig({ ...upstream, PASSWORD_MIN_LENGTH: '8' });
    expect(config.mail.server).toBeUndefined();
    expect(warnings).toEqual([expect.stringMatching(/^SMTP_URL: is not set/)]);
    expect(warnings.join()).not.toContain('SUPPORT_CHECK');
    const { warnings: checkWarnings } = loadConfig({
      ...upstream,
      SUPPORT_CHECK: 'true',
      OPERATOR_APPROVAL: 'operators-and-tokens',
    });
    expect(checkWarnings.join()).toMatch(/SMTP_URL: is not set.*SUPPORT_CHECK=true, people are not told.*\/support/);
    expect(loadConfig({ ...upstream, CODE_SIGN_IN: 'on' }).warnings.join()).toMatch(/CODE_SIGN_IN=on, codes are not offered/);
  });

  it('goes to the configured server, over an encrypted connection unless the server is on this machine', () => {
    expect(loadConfig(PRODUCTION).config.mail).toEqual({
      server: {
        host: 'mail.internal',
        port: 587,
        encryption: 'starttls',
        login: { user: 'foyer', password: 'geheim' },
      },
      from: { name: 'Foyer', address: 'no-reply@login.example.com' },
    });
    for (const url of ['smtp://localhost:25', 'smtp://127.0.0.1', 'smtp://[::1]', 'smtps://mail.internal']) {
      expect(findProductionFaults({ SMTP_URL: url })).toEqual([]);
    }
  });

  it('has the configured sender', () => {
    const load = (env: Environment) => loadConfig(env).config.mail.from;
    const settings = { MAIL_FROM: 'Konten <konten@example.org>', APP_NAME: 'Meridian' };
    expect(load(settings)).toEqual({ name: 'Konten', address: 'konten@example.org' });
    expect(load({ ...settings, MAIL_FROM: 'konten@example.org' })).toEqual({ name: 'Meridian', address: 'konten@example.org' });
    expect(load({ PUBLIC_URL: 'http://127.0.0.1:3000' }).address).toBe('no-reply@localhost');
  });
});

describe('warnings outside production', () => {
  const env = { PASSWORD_MIN_LENGTH: '8' };

  it('state that 127.0.0.1 and localhost are different hosts', () => {
    const mail = { SMTP_URL: 'smtp://127.0.0.1' };
    const upstream = { ...mail, HYDRA_ADMIN_URL: 'http://127.0.0.1:4445', HYDRA_PUBLIC_URL: 'http://127.0.0.1:4444' };
    expect(findWarnings({ ...env, ...upstream })).toEqual([
      expect.stringContaining('localhost and 127.0.0.1 are different hosts'),
    ]);
  });

  it.each(['https://login.example.com', 'http://192.0.2.1:3000'])('are about NODE_ENV if others can reach %s', (url) => {
    expect(findWarnings({ ...env, PUBLIC_URL: url })).toContainEqual(expect.stringContaining('NODE_ENV is not production'));
  });

  it.each(['http://localhost:3000', 'http://app.localhost:3000'])('are not about NODE_ENV at %s', (url) => {
    expect(findWarnings({ ...env, PUBLIC_URL: url })).toEqual([]);
  });

  it('state that security keys need a host name', () => {
    expect(findWarnings({ ...env, PUBLIC_URL: 'http://127.0.0.1:3000' })).toEqual([
      expect.stringContaining('security keys and passkeys'),
    ]);
  });

  it('are about weak secrets, which are accepted', () => {
    const { config, warnings } = loadConfig({ ...env, SECRETS_SYSTEM: 'short' });
    expect(config.secrets).toEqual(['short']);
    expect(warnings).toEqual(['SECRETS_SYSTEM: secret 1 is shorter than 32 characters']);
  });

  it('are about scopes without a title in a language', () => {
    expect(findWarnings({ ...env, CONSENT_SCOPES: '{"a":{"title":{"en":"A"}}}' })).toEqual([
      'CONSENT_SCOPES: "a" has no title in de',
    ]);
  });

  it('are not about titles if LANGUAGES is all, because no language is named', () => {
    const scopes = '{"a":{"title":{"en":"A","de":"A"}}}';
    expect(findWarnings({ ...env, LANGUAGES: 'all', CONSENT_SCOPES: scopes })).toEqual([]);
    expect(findWarnings({ ...env, LANGUAGES: 'de,en,fr', CONSENT_SCOPES: scopes })).toEqual([
      'CONSENT_SCOPES: "a" has no title in fr',
    ]);
  });
});

describe('a name that is not a setting', () => {
  const TYPO = 'HYDRA_TIMEOUT_SM: is not a setting; did you mean HYDRA_TIMEOUT_MS?';

  it('prevents the start in production if it is mistyped, and is a warning elsewhere', () => {
    expect(() => loadConfig({ ...PRODUCTION, HYDRA_TIMEOUT_SM: '1' })).toThrow(`has 1 fault:\n  - ${TYPO}`);
    expect(loadConfig({ HYDRA_TIMEOUT_SM: '1' }).warnings).toContain(TYPO);
  });

  it('is a warning if it may belong to the platform', () => {
    const { warnings } = loadConfig({ ...PRODUCTION, DATABASE_PASSWORD: 'x' });
    expect(warnings).toEqual([expect.stringMatching(/^DATABASE_PASSWORD: is not a setting/)]);
  });

  it('is reported together with the faults of other settings', () => {
    expect(() => loadConfig({ PORT: 'x', HYDRA_TIMEOUT_SM: '1' })).toThrow(new RegExp(`PORT: .*\n.*${TYPO.replace('?', '\\?')}`));
    expect(() => loadConfig({ ...PRODUCTION, PORT: 'x', HYDRA_TIMEOUT_SM: '1' })).toThrow('has 2 faults');
  });
});

describe('features of the account area', () => {
  const toFeatures = (value?: string) =>
    surveyConfig(value === undefined ? {} : { MANAGE_FEATURES: value }).config.manage.features;

  it('are all offered by default', () => {
    expect(toFeatures()).toEqual(['activity', 'email', 'data', 'deletion']);
  });

  it('can be limited to some, or to none', () => {
    expect(toFeatures('data, email')).toEqual(['email', 'data']);
    expect(toFeatures('none')).toEqual([]);
  });

  it('are refused with an unknown name', () => {
    expect(surveyConfig({ MANAGE_FEATURES: 'mail' }).faults).toEqual([
      'MANAGE_FEATURES: "mail" has an entry that is not one of none, activity, email, data, deletion',
    ]);
  });

  it('are refused if none stands beside a feature', () => {
    expect(surveyConfig({ MANAGE_FEATURES: 'none,email' }).faults).toEqual([
      'MANAGE_FEATURES: cannot combine none with a feature',
    ]);
    expect(surveyConfig({ MANAGE_FEATURES: 'none,none' }).faults).toEqual([]);
  });
});
