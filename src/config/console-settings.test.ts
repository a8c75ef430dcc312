import { describe, expect, it } from '@jest/globals';
import { loadConfig, surveyConfig } from './load-config.js';

const UPSTREAM = { HYDRA_ADMIN_URL: 'http://localhost:4445', HYDRA_PUBLIC_URL: 'http://localhost:4444' };
const PRODUCTION = {
  HYDRA_ADMIN_URL: 'http://hydra:4445',
  HYDRA_PUBLIC_URL: 'https://hydra.example.org',
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://login.example.org',
};
const CONSOLE_URL = 'https://console.example.org';
const CONSOLE_SETTINGS = /^(CONSOLE_|HYDRA_INTERNAL_URL|OPERATOR_TRUST_PROXY|OPERATOR_APPROVAL|SUPPORT_CHECK)/;

const readConsole = (env: Record<string, string>) => loadConfig(env).config.console;
const findFaults = (env: Record<string, string>): string[] =>
  surveyConfig(env).faults.filter((fault) => CONSOLE_SETTINGS.test(fault));

describe('CONSOLE_URL', () => {
  it('turns on the console, whose sign-ins need a second factor unless CONSOLE_ACR requires another strength', () => {
    expect(readConsole({ ...UPSTREAM, CONSOLE_URL: `${CONSOLE_URL}/` })).toEqual({
      url: CONSOLE_URL,
      acr: 'urn:foyer:acr:mfa',
      backChannelUrl: CONSOLE_URL,
    });
    expect(readConsole({ ...UPSTREAM, CONSOLE_URL, CONSOLE_ACR: 'urn:foyer:acr:phr' })?.acr).toBe('urn:foyer:acr:phr');
  });

  it('defaults to localhost with the port of the operator API in the demo; with Hydra, there is no console unless it is set', () => {
    expect(readConsole({})?.url).toBe('http://localhost:3001');
    expect(readConsole({ OPERATOR_PORT: '4001' })).toMatchObject({
      url: 'http://localhost:4001',
      backChannelUrl: 'http://localhost:4001',
    });
    expect(readConsole(UPSTREAM)).toBeUndefined();
    expect(findFaults(UPSTREAM)).toEqual([]);
  });

  it('may differ from the address at which Hydra calls the console', () => {
    const CONSOLE_BACKCHANNEL_URL = 'http://foyer-operator:3001';
    const settings = readConsole({ ...UPSTREAM, CONSOLE_URL, CONSOLE_BACKCHANNEL_URL });
    expect(settings).toMatchObject({ url: CONSOLE_URL, backChannelUrl: CONSOLE_BACKCHANNEL_URL });
  });

  it('has to be https, except on localhost outside production', () => {
    const fault = 'CONSOLE_URL: must begin with https://; plain http is allowed for localhost outside production';
    expect(findFaults({ ...UPSTREAM, CONSOLE_URL: 'http://localhost:3001' })).toEqual([]);
    expect(findFaults({ ...UPSTREAM, CONSOLE_URL: 'http://console.example.org' })).toEqual([fault]);
    expect(findFaults({ ...PRODUCTION, CONSOLE_URL: 'http://localhost:3001' })).toEqual([fault]);
    expect(findFaults({ ...PRODUCTION, CONSOLE_URL })).toEqual([]);
  });

  it('must have another host name than the sign-in pages and Hydra in production, even at another port', () => {
    const fault = expect.stringMatching(/^CONSOLE_URL: must have another host name than PUBLIC_URL/);
    for (const url of ['https://login.example.org', 'https://LOGIN.example.org:8443'])
      expect(findFaults({ ...PRODUCTION, CONSOLE_URL: url })).toEqual([fault]);
    const hydraFault = expect.stringMatching(/^CONSOLE_URL: must have another host name than HYDRA_PUBLIC_URL/);
    expect(findFaults({ ...PRODUCTION, CONSOLE_URL: 'https://hydra.example.org:8443' })).toEqual([hydraFault]);
    expect(findFaults({ ...UPSTREAM, PUBLIC_URL: 'http://localhost:3000', CONSOLE_URL: 'http://localhost:3001' })).toEqual([]);
  });

  it.each(['console.example.org', 'https://example.org/console', 'https://me:secret@example.org'])('is not %s', (url) => {
    expect(findFaults({ ...UPSTREAM, CONSOLE_URL: url })).toEqual([expect.stringMatching(/^CONSOLE_URL: /)]);
  });
});

describe('OPERATOR_APPROVAL', () => {
  const UNKNOWN_VALUE_FAULTS = [expect.stringMatching(/^OPERATOR_APPROVAL: .*off, operators, operators-and-tokens/)];

  it('requires the console, where operators approve, unless it is off or tokens may approve; other values are refused', () => {
    const withoutConsole = { ...UPSTREAM, OPERATOR_APPROVAL: 'operators' };
    expect(findFaults(withoutConsole)).toEqual(['OPERATOR_APPROVAL: requires CONSOLE_URL, unless it is operators-and-tokens']);
    expect(findFaults({ ...withoutConsole, CONSOLE_URL: 'https://console.example.org' })).toEqual([]);
    for (const value of ['off', 'operators-and-tokens'])
      expect(findFaults({ ...UPSTREAM, OPERATOR_APPROVAL: value })).toEqual([]);
    expect(findFaults({ ...UPSTREAM, OPERATOR_APPROVAL: 'on' })).toEqual(UNKNOWN_VALUE_FAULTS);
  });
});

describe('SUPPORT_CHECK', () => {
  it('requires the console, where operators approve unchecked operations, unless tokens may approve, and refuses other values', () => {
    const withCheck = { ...UPSTREAM, SUPPORT_CHECK: 'true' };
    const fault = 'SUPPORT_CHECK: requires CONSOLE_URL, or OPERATOR_APPROVAL=operators-and-tokens';
    expect(findFaults(withCheck)).toEqual([fault]);
    expect(findFaults({ ...withCheck, CONSOLE_URL })).toEqual([]);
    expect(findFaults({ ...withCheck, OPERATOR_APPROVAL: 'operators-and-tokens' })).toEqual([]);
    expect(findFaults({ ...UPSTREAM, SUPPORT_CHECK: 'on' })).toEqual([expect.stringMatching(/^SUPPORT_CHECK: /)]);
  });
});

describe('the other settings of the console', () => {
  it.each([
    ['CONSOLE_ACR', 'urn:foyer:acr:pwd'],
    ['CONSOLE_BACKCHANNEL_URL', 'http://foyer-operator:3001'],
  ])('%s requires CONSOLE_URL, which has a default in the demo', (name, value) => {
    expect(findFaults({ ...UPSTREAM, [name]: value })).toEqual([`${name}: requires CONSOLE_URL`]);
    expect(findFaults({ ...UPSTREAM, CONSOLE_URL, [name]: value })).toEqual([]);
    expect(findFaults({ [name]: value })).toEqual([]);
  });

  it('cause no faults if CONSOLE_URL is set but cannot be read; only CONSOLE_URL has a fault', () => {
    const env = { ...UPSTREAM, CONSOLE_URL: 'x', CONSOLE_BACKCHANNEL_URL: 'http://foyer-operator:3001' };
    expect(findFaults(env)).toEqual([expect.stringMatching(/^CONSOLE_URL: "x" is not an address/)]);
  });

  it('CONSOLE_ACR is one of the values that Foyer supports', () => {
    expect(findFaults({ ...UPSTREAM, CONSOLE_URL, CONSOLE_ACR: 'mfa' })).toEqual([
      expect.stringMatching(/^CONSOLE_ACR: "mfa" is not one of urn:foyer:acr:fed, /),
    ]);
  });

  it('HYDRA_INTERNAL_URL is the address at which Foyer calls the public port of Hydra', () => {
    expect(loadConfig({ ...UPSTREAM, HYDRA_INTERNAL_URL: 'http://hydra:4444/' }).config.hydra.internalUrl).toBe(
      'http://hydra:4444',
    );
    expect(findFaults({ ...UPSTREAM, HYDRA_INTERNAL_URL: 'hydra:4444' })).toHaveLength(1);
  });

  it('OPERATOR_TRUST_PROXY is a number of proxies, none by default', () => {
    expect(loadConfig({}).config.operator.trustProxyHops).toBe(0);
    expect(loadConfig({ OPERATOR_TRUST_PROXY: '2' }).config.operator.trustProxyHops).toBe(2);
    expect(findFaults({ OPERATOR_TRUST_PROXY: 'all' })).toHaveLength(1);
  });
});
