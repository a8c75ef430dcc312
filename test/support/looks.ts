/** Looks in which every page can be drawn: looks of installations, as settings define them, and of an app. */
import type { Brand } from '../../src/config/look-settings.js';
import type { AppState, ClientState, PageState } from '../../src/contract/page-state.js';
import type { Looks } from '../../src/gateway/page/assets.js';

export interface Look {
  installation: Looks;
  /** The look of the installation, on every page. */
  app?: Partial<AppState>;
  /** The look of the client whose request waits. */
  client?: Pick<ClientState, 'logo_url' | 'logo_dark_url'> & { look: Brand };
}

const svg = (markup: string): string => `data:image/svg+xml,${encodeURIComponent(markup)}`;

const wordmark = (word: string, ink: string, mark: string): string =>
  svg(
    `<svg xmlns='http://www.w3.org/2000/svg' width='140' height='32' viewBox='0 0 140 32'><path d='M2 16 16 2l14 14-14 14Z' fill='${mark}'/><text x='40' y='23' font-family='Georgia,serif' font-size='21' font-weight='700' fill='${ink}'>${word}</text></svg>`,
  );

const tile = (ground: string, ink: string): string =>
  svg(
    `<svg xmlns='http://www.w3.org/2000/svg' width='48' height='48' viewBox='0 0 48 48'><rect width='48' height='48' rx='8' fill='${ground}'/><path d='M12 34 24 12l12 22Z' fill='none' stroke='${ink}' stroke-width='4' stroke-linejoin='round'/></svg>`,
  );

export const LOOKS = {
  plain: { installation: {} },
  night: {
    installation: { brandColour: '#1c1f6b', brandRadius: '0' },
    app: {
      name: 'Nordlicht',
      logo_url: wordmark('Nordlicht', '#14163f', '#1c1f6b'),
      logo_dark_url: wordmark('Nordlicht', '#f2f2ff', '#9ea4ff'),
    },
  },
  sun: { installation: { brandColour: '#ffd24a', brandRadius: '18px' }, app: { name: 'Sonnenhof' } },
  app: {
    installation: { brandColour: '#1c1f6b', brandRadius: '0' },
    app: { name: 'Nordlicht' },
    client: {
      look: { brandColour: '#b3005e', brandColourDark: '#ff8ac2', brandRadius: '12px' },
      logo_url: tile('#b3005e', '#ffffff'),
      logo_dark_url: tile('#3a0a22', '#ff8ac2'),
    },
  },
} as const satisfies Record<string, Look>;

/** The account area has the look of the installation. */
export function toLook({ client }: Look, { page }: PageState): Brand | undefined {
  return page.startsWith('manage') ? undefined : client?.look;
}

/** The state as the server writes it in this look. */
export function withLook({ app, client }: Look, state: PageState): PageState {
  const changed = { ...state, app: { ...state.app, ...app } };
  if (!client) return changed;
  const { look: _look, ...logos } = client;
  const content: unknown = (changed as Partial<Record<string, unknown>>)[state.page];
  if (typeof content !== 'object' || content === null || !('client' in content)) return changed;
  return { ...changed, [state.page]: { ...content, client: { ...(content.client as ClientState), ...logos } } };
}
