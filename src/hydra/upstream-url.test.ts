import { expect, it } from '@jest/globals';
import { buildUpstreamLogoutUrl } from './upstream-url.js';

it.each([
  ['https://auth.example', 'https://auth.example/oauth2/sessions/logout'],
  ['https://auth.example/', 'https://auth.example/oauth2/sessions/logout'],
  ['https://auth.example/hydra', 'https://auth.example/hydra/oauth2/sessions/logout'],
  ['https://auth.example/hydra/', 'https://auth.example/hydra/oauth2/sessions/logout'],
])('the address of a logout begins with the public address of Hydra: %s', (publicUrl, url) => {
  expect(buildUpstreamLogoutUrl({ publicUrl })).toBe(url);
});
