/** Lifetimes of codes and tokens in seconds: Hydra's defaults, or the client's own values. */
import { toSeconds } from '../http/json-body.js';

export const CODE_LIFESPAN_SECONDS = 600;
export const DEVICE_CODE_LIFESPAN_SECONDS = 600;

const DEFAULTS = { access_token: 3600, id_token: 3600, refresh_token: 720 * 3600 };

export type TokenUse = keyof typeof DEFAULTS;
/** Prefixes of the client's members for lifespans. */
export type GrantName = 'authorization_code' | 'refresh_token' | 'client_credentials' | 'device_authorization';

export interface Lifespans {
  lifespans: Readonly<Record<string, string>>;
}

export function toLifespan(client: Lifespans, grant: GrantName, use: TokenUse): number {
  const text = client.lifespans[`${grant}_grant_${use}_lifespan`];
  return (text === undefined ? null : toSeconds(text)) ?? DEFAULTS[use];
}

/** Writes `5400` as `1h30m0s`. */
export function toDurationText(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const secondsText = `${seconds % 60}s`;
  if (hours > 0) return `${hours}h${minutes}m${secondsText}`;
  return minutes > 0 ? `${minutes}m${secondsText}` : secondsText;
}
