/** State of the pages for the code of a device (RFC 8628). */
import type { ChallengeFault, ClientState } from './request-state.js';

/** The form for the code of a device. */
export interface DeviceCodeState {
  error: 'challenge' | 'code' | 'empty' | 'limited' | null;
  challenge_fault?: ChallengeFault;
  /** Where the code can be entered again. */
  restart_url?: string;
  /** With `limited`: whole seconds until the next code may be tried. */
  retry_after?: number;
  /** As it was typed, or from the address. */
  user_code: string;
  /** The code came with the address: the person is to compare it. */
  prefilled?: true;
  device_challenge: string;
  xsrf_token: string;
}

export interface DeviceEndState {
  /**
   * `denied` by the person. `unmet`: the sign-in does not reach what the app asks for. `failed`: the account may not sign in, or
   * the app asked for something that it cannot have.
   */
  status: 'success' | 'denied' | 'unmet' | 'failed';
  /** Absent if the app is not known, and in a browser that has not just let it in. */
  client?: ClientState;
}

export interface DevicePages {
  device: DeviceCodeState;
  device_end: DeviceEndState;
}
