/** What every mode starts, and how it is asked for. The rest of the kit knows an installation by its addresses alone. */
import type { MovableClock } from './movable-clock.js';

/** Settings of Foyer as docs/settings.md lists them, like `{ MFA_POLICY: 'required' }`. */
export type FoyerSettings = Readonly<Record<string, string>>;

export interface EmbeddedOptions {
  /** Everything in this process, in memory or in a temporary folder; the default. */
  mode?: 'embedded';
  settings?: FoyerSettings;
  /** Brings stand-ins for Google, Microsoft and Apple. */
  providers?: boolean;
}

export interface DockerOptions {
  /** Hydra, Foyer and a mailbox in containers. */
  mode: 'docker';
  settings?: FoyerSettings;
  /** `HYDRA_IMAGE`, or the newest release that is supported, unless told. */
  hydraImage?: string;
  /** `FOYER_IMAGE`, or `foyer`, unless told. */
  foyerImage?: string;
  /** `FOYER_DEMO_IMAGE`, or `foyer-demo`, unless told; false goes without a mailbox. */
  mailboxImage?: string | false;
}

export interface UpstreamOptions {
  /** Foyer in this process, in front of a Hydra that runs already. */
  mode: 'upstream';
  hydraPublicUrl: string;
  /** Without `/admin`. */
  hydraAdminUrl: string;
  /** Where that Hydra's `URLS_LOGIN` and the others lead: `http://localhost:<port>/login`. */
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
  /** Of the stand-ins. */
  providersUrl: string | null;
  /** null where Hydra lives in the machine's time. */
  clock: MovableClock | null;
  stop(): Promise<void>;
}
