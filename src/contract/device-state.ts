/** State of the pages for the code of a device (RFC 8628). */
import type { ChallengeFault, ClientState } from './request-state.js';

/** The form for the code of a device. */
export interface DeviceCodeState {
  error: 'challenge' | 'code' | 'empty' | 'limited' | null;
  challenge_fault?: ChallengeFault;
  /** Address at which the code can be entered again. */
  restart_url?: string;
  /** With `limited`: whole seconds until the next code may be tried. */
  retry_after?: number;
  /** The code that was typed, or that the address contains. */
  user_code: string;
  /** The code comes from the address, so the person has to compare it with the device. */
  prefilled?: true;
  device_challenge: string;
  xsrf_token: string;
}

export interface DeviceEndState {
  /**
   * `denied`: the person refused. `unmet`: the sign-in is weaker than the app requires. `failed`: the account may not sign in, or
   * the app requested something that it must not have.
   */
  status: 'success' | 'denied' | 'unmet' | 'failed';
  /** Present only with `success`, in the browser that has just given the access, and if Hydra returns the app. */
  client?: ClientState;
}

export interface DevicePages {
  device: DeviceCodeState;
  device_end: DeviceEndState;
}
