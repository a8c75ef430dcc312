/** The kinds of apps that operators register. A shape test compares them with the registrations on the pages of docs/clients. */
import type { ClientMembers } from '../../hydra/registered-client.js';

export interface ClientPreset {
  name: string;
  about: string;
  /** Names of pages in docs/clients. */
  pages: readonly string[];
  /** Members that operators have to set, because no default value fits. */
  requires: readonly ('redirect_uris' | 'scope')[];
  members: Pick<ClientMembers, 'grant_types' | 'response_types' | 'token_endpoint_auth_method'> &
    Partial<Pick<ClientMembers, 'scope' | 'skip_consent'>>;
}

const CODE = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] } as const;
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const SCOPE = 'openid offline_access profile email';
/** The scope `id` is required to open the account area. */
const SCOPE_WITH_ID = `${SCOPE} id`;

export const CLIENT_PRESETS: readonly ClientPreset[] = [
  {
    name: 'server',
    about: 'an app with a server, which keeps the secret',
    pages: ['node-express', 'nextjs', 'spring-boot', 'python', 'go'],
    requires: ['redirect_uris'],
    members: { ...CODE, scope: SCOPE_WITH_ID, token_endpoint_auth_method: 'client_secret_basic' },
  },
  {
    name: 'aspnet-core',
    about: 'an app on ASP.NET Core, which sends the secret in the body',
    pages: ['aspnet-core'],
    requires: ['redirect_uris'],
    members: { ...CODE, scope: SCOPE_WITH_ID, token_endpoint_auth_method: 'client_secret_post' },
  },
  {
    name: 'single-page',
    about: 'an app that runs only in the browser, without a secret',
    pages: ['single-page'],
    requires: ['redirect_uris'],
    members: { ...CODE, scope: SCOPE, token_endpoint_auth_method: 'none' },
  },
  {
    name: 'mobile',
    about: 'a mobile app, without a secret',
    pages: ['mobile'],
    requires: ['redirect_uris'],
    members: { ...CODE, scope: SCOPE_WITH_ID, token_endpoint_auth_method: 'none' },
  },
  {
    name: 'device',
    about: 'a television, printer or terminal program, with a code that people enter on another device',
    pages: ['device'],
    requires: [],
    members: {
      grant_types: [DEVICE_CODE, 'refresh_token'],
      response_types: [],
      scope: SCOPE,
      token_endpoint_auth_method: 'none',
    },
  },
  {
    name: 'proxy',
    about: 'a proxy of your own that stands in front of an app and signs people in (oauth2-proxy)',
    pages: ['oauth2-proxy'],
    requires: ['redirect_uris'],
    members: { ...CODE, scope: SCOPE, token_endpoint_auth_method: 'client_secret_basic', skip_consent: true },
  },
  {
    name: 'grafana',
    about: 'your own Grafana',
    pages: ['grafana'],
    requires: ['redirect_uris'],
    members: { ...CODE, scope: SCOPE, token_endpoint_auth_method: 'client_secret_post', skip_consent: true },
  },
  {
    name: 'machine',
    about: 'a service that acts on its own behalf and signs nobody in',
    pages: [],
    requires: ['scope'],
    members: { grant_types: ['client_credentials'], response_types: [], token_endpoint_auth_method: 'client_secret_basic' },
  },
];

export function findPreset(name: string): ClientPreset | undefined {
  return CLIENT_PRESETS.find((preset) => preset.name === name);
}
