/** The result of every start mode, and its options. The rest of the kit only knows an installation's addresses. */
import type { MovableClock } from './movable-clock.js';

/** Settings of Foyer as in docs/settings.md, like `{ MFA_POLICY: 'required' }`. */
export type FoyerSettings = Readonly<Record<string, string>>;

export interface EmbeddedOptions {
  /** Everything in this process, in memory or in a temporary folder; the default. */
  mode?: 'embedded';
  settings?: FoyerSettings;
  /** Starts demo providers for Google, Microsoft and Apple. */
  providers?: boolean;
}

export interface DockerOptions {
  /** Hydra, Foyer and a mailbox in containers. */
  mode: 'docker';
  settings?: FoyerSettings;
  /** Default: `HYDRA_IMAGE`, or the newest supported release. */
  hydraImage?: string;
  /** Default: `FOYER_IMAGE`, or `foyer`. */
  foyerImage?: string;
  /** Default: `FOYER_DEMO_IMAGE`, or `foyer-demo`; false starts no mailbox. */
  mailboxImage?: string | false;
}

export interface UpstreamOptions {
  /** Foyer in this process, in front of an existing Hydra. */
  mode: 'upstream';
  hydraPublicUrl: string;
  /** Without `/admin`. */
  hydraAdminUrl: string;
  /** The port to which that Hydra's `URLS_LOGIN` and the others lead: `http://localhost:<port>/login`. */
  port: number;
  settings?: FoyerSettings;
}

export type StartOptions = EmbeddedOptions | DockerOptions | UpstreamOptions;

export interface Installation {
  mode: 'embedded' | 'docker' | 'upstream';
  foyerUrl: string;
  hydraPublicUrl: string;
  hydraAdminUrl: string;
  operatorUrl: string;
  operatorToken: string;
  mailboxUrl: string | null;
  /** Addresses of the demo providers. */
  providersUrl: string | null;
  /** null if Hydra uses the machine's clock. */
  clock: MovableClock | null;
  stop(): Promise<void>;
}
