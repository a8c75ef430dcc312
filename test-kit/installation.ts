/** The options of each start mode, and the installation that every mode returns. */
import type { MovableClock } from './movable-clock.js';

/** Settings of Foyer as in docs/settings.md, like `{ MFA_POLICY: 'required' }`. */
export type FoyerSettings = Readonly<Record<string, string>>;

export interface EmbeddedOptions {
  /** Runs everything in this process, in memory or in a temporary folder. This is the default. */
  mode?: 'embedded';
  settings?: FoyerSettings;
  /** Starts demo providers for Google, Microsoft and Apple. */
  providers?: boolean;
}

export interface DockerOptions {
  /** Runs Hydra, Foyer and a mailbox in containers. */
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
  /** Runs Foyer in this process, in front of an existing Hydra. */
  mode: 'upstream';
  hydraPublicUrl: string;
  /** Without `/admin`. */
  hydraAdminUrl: string;
  /** The port in that Hydra's `URLS_LOGIN` and its other URLs: `http://localhost:<port>/login`. */
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
  /** Origin of the demo providers; null if they were not started. */
  providersUrl: string | null;
  /** Null if Hydra uses the machine's clock. */
  clock: MovableClock | null;
  stop(): Promise<void>;
}
