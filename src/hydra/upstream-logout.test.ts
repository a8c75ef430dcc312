import { expect, it } from '@jest/globals';
import { buildUpstreamLogoutUrl } from './upstream-logout.js';

it.each(['https://auth.example', 'https://auth.example/', 'https://auth.example/hydra', 'https://auth.example/hydra/'])(
  'the address of a logout begins with the public address of Hydra: %s',
  (publicUrl) => {
    expect(buildUpstreamLogoutUrl({ publicUrl })).toBe(`${publicUrl.replace(/\/$/, '')}/oauth2/sessions/logout`);
  },
);
