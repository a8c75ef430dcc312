/** The services that all parts of the embedded upstream share. */
import type { FlowCodec } from './flow/flow.js';
import type { BackChannel } from './logout/back-channel.js';
import type { Seal } from './seal.js';
import type { Settings, UpstreamEvent } from './settings.js';
import type { Store } from './store/store.js';
import type { Signer } from './tokens/signer.js';
import type { TokenVault } from './tokens/token-vault.js';

export interface Core {
  settings: Settings;
  store: Store;
  seal: Seal;
  flows: FlowCodec;
  signer: Signer;
  vault: TokenVault;
  backChannel: BackChannel;
  nowMs: () => number;
  /** Whole seconds, as in Hydra. */
  nowSeconds: () => number;
  emit: (event: UpstreamEvent) => void;
}
