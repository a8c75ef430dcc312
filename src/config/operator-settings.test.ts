import { describe, expect, it } from '@jest/globals';
import { OPERATOR_CERTIFICATE, OTHER_OPERATOR_CERTIFICATE } from '../../test/support/certificates.js';
import { loadConfig, surveyConfig } from './load-config.js';

const [HELPDESK_TOKEN, REPORTING_TOKEN] = ['hR4vT8yLq2Zc6Nw0Xb5Km1Jd9Gf3Ps7E', 'mB3xW9kQ5tY1uV7oR2zD8sA6nL0jH4cG'];
const TOKENS = [
  { name: 'helpdesk', rights: 'support', token: HELPDESK_TOKEN },
  { name: 'reporting', rights: 'read', token: REPORTING_TOKEN },
];
const PRODUCTION = { NODE_ENV: 'production' };

const findFaults = (env: Record<string, string>): string[] =>
  surveyConfig(env).faults.filter((fault) => fault.startsWith('OPERATOR_'));

describe('OPERATOR_TOKENS', () => {
  it('is a list of names, rights and tokens, in the setting or in a file', () => {
    expect(loadConfig({ OPERATOR_TOKENS: JSON.stringify(TOKENS) }).config.operator.tokens).toEqual(TOKENS);
    const read = (path: string): string => (path === '/run/tokens' ? `${JSON.stringify(TOKENS)}\n` : '');
    expect(loadConfig({ OPERATOR_TOKENS_FILE: '/run/tokens' }, read).config.operator.tokens).toEqual(TOKENS);
  });

  it('is enough in production, which requires OPERATOR_TOKENS or OPERATOR_TOKEN', () => {
    expect(findFaults(PRODUCTION)).toEqual([
      expect.stringMatching(/^OPERATOR_TOKEN: is required in production, unless OPERATOR_TOKENS/),
    ]);
    expect(findFaults({ ...PRODUCTION, OPERATOR_TOKENS: JSON.stringify(TOKENS) })).toEqual([]);
    expect(findFaults({ ...PRODUCTION, OPERATOR_TOKEN: HELPDESK_TOKEN })).toEqual([]);
    expect(findFaults({ ...PRODUCTION, OPERATOR_TOKENS: '[]' })).toEqual([
      expect.stringMatching(/^OPERATOR_TOKENS: contains no valid token/),
    ]);
  });

  it.each([
    ['{}', /is not a JSON list/],
    ['helpdesk:x', /cannot be read as JSON/],
    [[{ ...TOKENS[0], right: 'admin' }], /entry 1: it has a member that is not one of name, rights, token/],
    [[{ ...TOKENS[0], name: 'Help desk' }], /has no name of at most 32 lower-case letters/],
    [[{ ...TOKENS[0], name: 'x:y' }], /has no name of at most 32 lower-case letters/],
    [[TOKENS[0], { ...TOKENS[1], rights: 'root' }], /entry 2: it has rights that are not among read, auditor, support, admin/],
    [[{ ...TOKENS[0], rights: 'toString' }], /has rights that are not among/],
    [[{ ...TOKENS[0], token: 'with a space' }], /has no token of at most 1024 ASCII characters without spaces/],
    [[TOKENS[0], { ...TOKENS[1], name: 'helpdesk' }], /has the name helpdesk twice/],
  ])('refuses %j without repeating a token', (value, reason) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const [fault = '', ...more] = findFaults({ OPERATOR_TOKENS: text });
    expect([fault, more]).toEqual([expect.stringMatching(reason), []]);
    expect(fault).toMatch(/^OPERATOR_TOKENS: the value /);
    for (const secret of [HELPDESK_TOKEN, REPORTING_TOKEN, 'with a space']) expect(fault).not.toContain(secret);
  });

  it('refuses weak tokens, and a token that is used twice, in production', () => {
    const weakTokens = JSON.stringify([{ name: 'helpdesk', rights: 'support', token: 'short' }]);
    expect(findFaults({ ...PRODUCTION, OPERATOR_TOKENS: weakTokens })).toEqual([
      'OPERATOR_TOKENS: the token of helpdesk is shorter than 32 characters',
    ]);
    const duplicateToken = { OPERATOR_TOKEN: HELPDESK_TOKEN, OPERATOR_TOKENS: JSON.stringify(TOKENS) };
    expect(findFaults({ ...PRODUCTION, ...duplicateToken })).toEqual([
      'OPERATOR_TOKENS: the token of helpdesk equals the token in OPERATOR_TOKEN',
    ]);
  });
});

describe('OPERATOR_TOKEN and METRICS_TOKEN', () => {
  it.each(['OPERATOR_TOKEN', 'METRICS_TOKEN'])('%s is refused if it is longer than the operator API reads', (name) => {
    const env = { OTEL_METRICS_EXPORTER: 'prometheus' };
    expect(surveyConfig({ ...env, [name]: 'ab'.repeat(512) }).faults).toEqual([]);
    expect(surveyConfig({ ...env, [name]: `${'ab'.repeat(512)}c` }).faults).toEqual([
      `${name}: the value is longer than 1024 characters`,
    ]);
  });
});

describe('OPERATORS', () => {
  const schema = { ACCOUNT_SCHEMA: JSON.stringify({ properties: { role: { type: 'string' } } }) };
  const findOwnFaults = (rules: unknown): string[] =>
    surveyConfig({ ...schema, OPERATORS: typeof rules === 'string' ? rules : JSON.stringify(rules) }).faults.filter((fault) =>
      fault.startsWith('OPERATORS'),
    );

  it('is a list of groups and attributes with a right, in the setting or in a file', () => {
    const rules = [
      { group: 'helpdesk', right: 'support' },
      { attribute: 'role', value: 'it', right: 'read' },
      { group: 'helpdesk', right: 'auditor' },
    ];
    expect(loadConfig({ ...schema, OPERATORS: JSON.stringify(rules) }).config.operator.rules).toEqual(rules);
    const read = (): string => JSON.stringify(rules);
    expect(loadConfig({ ...schema, OPERATORS_FILE: '/run/operators' }, read).config.operator.rules).toEqual(rules);
    expect(loadConfig({}).config.operator.rules).toEqual([]);
  });

  it.each([
    ['helpdesk=support', /cannot be read as JSON/],
    [{ group: 'helpdesk', right: 'support' }, /is not a JSON list of rules/],
    [['helpdesk'], /entry 1: it is not a JSON object/],
    [[{ group: 'helpdesk', rights: 'support' }], /entry 1: it has a member that is not one of group, attribute, value, right/],
    [[{ group: 'helpdesk' }], /entry 1: it has a right that is not one of read, auditor, support, admin/],
    [[{ group: 'helpdesk', right: 'root' }], /it has a right that is not one of/],
    [[{ right: 'read' }], /it has neither a group nor an attribute, or both/],
    [[{ group: 'a', attribute: 'role', value: 'b', right: 'read' }], /it has neither a group nor an attribute, or both/],
    [[{ group: ' ', right: 'read' }], /it has a group that is not a name/],
    [[{ group: 'a\u0000', right: 'read' }], /it has a group that is not a name/],
    [[{ attribute: 7, value: 'b', right: 'read' }], /it has an attribute that is not a name/],
    [[{ attribute: 'role', right: 'read' }], /it has an attribute without a value/],
    [[{ attribute: 'role', value: null, right: 'read' }], /it has an attribute without a value/],
    [[{ group: 'a', value: 'b', right: 'read' }], /it has a value without an attribute/],
    [[{ attribute: 'unknown', value: 'b', right: 'read' }], /^OPERATORS: the attribute unknown is not in ACCOUNT_SCHEMA$/],
  ])('refuses %j', (rules, fault) => {
    expect(findOwnFaults(rules)).toEqual([expect.stringMatching(fault)]);
  });
});

describe('OPERATOR_TLS_CERT and OPERATOR_TLS_KEY', () => {
  const upstream = { HYDRA_ADMIN_URL: 'http://localhost:4445', HYDRA_PUBLIC_URL: 'http://localhost:4444' };
  const [CERT, KEY] = [{ OPERATOR_TLS_CERT: OPERATOR_CERTIFICATE.certificate }, { OPERATOR_TLS_KEY: OPERATOR_CERTIFICATE.key }];

  it('make the operator API use https, in the settings or in files', () => {
    const tls = { certificate: OPERATOR_CERTIFICATE.certificate.trim(), key: OPERATOR_CERTIFICATE.key.trim() };
    expect(loadConfig({ ...upstream, ...CERT, ...KEY }).config.operator.tls).toEqual(tls);
    const read = (path: string): string =>
      path === '/run/tls.crt' ? OPERATOR_CERTIFICATE.certificate : OPERATOR_CERTIFICATE.key;
    const files = { OPERATOR_TLS_CERT_FILE: '/run/tls.crt', OPERATOR_TLS_KEY_FILE: '/run/tls.key' };
    expect(loadConfig({ ...upstream, ...files }, read).config.operator.tls).toEqual(tls);
    expect(loadConfig(upstream).config.operator.tls).toBeUndefined();
  });

  it.each([
    [CERT, /^OPERATOR_TLS_KEY: is missing; certificate and key must be set together/],
    [KEY, /^OPERATOR_TLS_CERT: is missing/],
    [{ ...CERT, OPERATOR_TLS_KEY: OTHER_OPERATOR_CERTIFICATE.key }, /^OPERATOR_TLS_KEY: is not the key of the certificate/],
    [{ ...CERT, OPERATOR_TLS_KEY: 'abc' }, /^OPERATOR_TLS_KEY: the value is not a private key in PEM form/],
    [{ ...KEY, OPERATOR_TLS_CERT: 'abc' }, /^OPERATOR_TLS_CERT: "abc" is not a certificate/],
  ])('are refused if one is missing, or if they do not match (%#)', (env, fault) => {
    expect(findFaults({ ...upstream, ...env })).toEqual([expect.stringMatching(fault)]);
  });

  it('require HYDRA_ADMIN_URL, because the embedded demo calls the operator API over plain http', () => {
    expect(findFaults({ ...CERT, ...KEY })).toEqual([expect.stringMatching(/^OPERATOR_TLS_CERT: requires HYDRA_ADMIN_URL/)]);
  });

  it('remove the warning about plain http on other addresses', () => {
    const readWarnings = (env: Record<string, string>): string[] =>
      surveyConfig({ ...PRODUCTION, ...upstream, OPERATOR_HOST: '10.0.0.1', ...env }).warnings.filter((text) =>
        /^OPERATOR_/.test(text),
      );
    expect(readWarnings({})).toHaveLength(1);
    expect(readWarnings({ ...CERT, ...KEY })).toEqual([]);
  });
});

describe('OPERATOR_HOST_NAMES', () => {
  it('is a list of names in lower case, without schemes and ports', () => {
    const { config } = loadConfig({ OPERATOR_HOST_NAMES: 'Foyer-Operator, foyer-operator.sso.svc' });
    expect(config.operator.hostNames).toEqual(['foyer-operator', 'foyer-operator.sso.svc']);
    for (const wrongName of ['http://foyer', 'foyer:3001', '*', '*.svc', 'a b', 'foyer.', '.svc']) {
      expect(findFaults({ OPERATOR_HOST_NAMES: wrongName })).toEqual([
        expect.stringMatching(/^OPERATOR_HOST_NAMES: .* has an entry that is not a host name/),
      ]);
    }
  });
});
