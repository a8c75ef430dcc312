import { describe, expect, it } from '@jest/globals';
import { findUnknownSettings } from './settings-unknown.js';

describe('findUnknownSettings', () => {
  it.each([
    ['HYDRA_ADMIN_ULR', 'HYDRA_ADMIN_URL'],
    ['PUBLC_URL', 'PUBLIC_URL'],
    ['public_url', 'PUBLIC_URL'],
    ['LOG_LEVLE', 'LOG_LEVEL'],
    ['SECRET_SYSTEM', 'SECRETS_SYSTEM'],
    ['SECRETS_SYSTEM_FIEL', 'SECRETS_SYSTEM_FILE'],
    ['OPERATOR_TOKN', 'OPERATOR_TOKEN'],
    ['EMBEDDED_SMPT_PORT', 'EMBEDDED_SMTP_PORT'],
  ])('reports %s as a misspelling of %s', (name, nearest) => {
    expect(findUnknownSettings({ [name]: 'x' })).toEqual({
      typingMistakes: [`${name}: is not a setting; did you mean ${nearest}?`],
      unclearNames: [],
    });
  });

  it('reports a name separately if only its prefix belongs to Foyer', () => {
    const { typingMistakes, unclearNames } = findUnknownSettings({ DATABASE_PASSWORD: 'x' });
    expect([typingMistakes, unclearNames]).toEqual([[], [expect.stringMatching(/^DATABASE_PASSWORD: is not a setting/)]]);
  });

  it('reports LANGUAGE separately, because many systems set it for all programs', () => {
    const messages = { typingMistakes: [], unclearNames: ['LANGUAGE: is not a setting; did you mean LANGUAGES?'] };
    expect(findUnknownSettings({ LANGUAGE: 'en_GB:en' })).toEqual(messages);
  });

  it('ignores variables of other programs', () => {
    const foreignVariables = {
      PATH: '/bin',
      HOME: '/root',
      HOSTNAME: 'x',
      HTTP_PROXY: 'x',
      http_proxy: 'x',
      LOGNAME: 'x',
      LOG_DIR: 'x',
      APP_HOME: 'x',
      HYDRA_BIN: 'x',
      HYDRA_PUBLIC_SERVICE_HOST: '10.0.0.1',
      HYDRA_PUBLIC_PORT: 'tcp://10.0.0.1:4444',
      HYDRA_PUBLIC_PORT_4444_TCP_ADDR: '10.0.0.1',
      npm_config_user_agent: 'npm',
      NODE_OPTIONS: '',
      TERM: 'x',
      PORTS: '1',
    };
    expect(findUnknownSettings(foreignVariables)).toEqual({ typingMistakes: [], unclearNames: [] });
  });

  it('accepts settings and their files', () => {
    expect(findUnknownSettings({ PUBLIC_URL: 'x', SECRETS_SYSTEM_FILE: 'x', CONSENT_SCOPES_FILE: 'x' })).toEqual({
      typingMistakes: [],
      unclearNames: [],
    });
  });
});
