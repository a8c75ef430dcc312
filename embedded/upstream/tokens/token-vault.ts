/**
 * Codes and tokens: random texts, issued once and stored as hashes. A code or refresh token is consumed in one step,
 * so that two requests with the same text cannot both succeed.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { TokenRow } from '../store/rows.js';
import type { Store } from '../store/store.js';

const PREFIXES: Record<TokenRow['kind'], string> = {
  code: 'ory_ac_',
  access: 'ory_at_',
  refresh: 'ory_rt_',
  device: 'ory_dc_',
};

export interface FoundToken {
  id: string;
  row: TokenRow;
}

export class TokenVault {
  constructor(
    private readonly store: Store,
    private readonly nowSeconds: () => number,
  ) {}

  /** @returns the text, which cannot be read again */
  issue(row: Omit<TokenRow, 'used'>): string {
    const text = `${PREFIXES[row.kind]}${createPart()}.${createPart()}`;
    this.store.tokens.put(toId(text), { ...row, used: false });
    return text;
  }

  /** Finds a token that has not expired; it may already be consumed. */
  find(text: string): FoundToken | null {
    const id = toId(text);
    const row = this.store.tokens.get(id);
    return row && row.expiresAt > this.nowSeconds() ? { id, row } : null;
  }

  /** Finds a token that can still be used. */
  findActive(text: string): FoundToken | null {
    const token = this.find(text);
    return token && !token.row.used ? token : null;
  }

  /** Marks a code or a refresh token as consumed. @returns false if it already was, or was deleted */
  consume({ id }: FoundToken): boolean {
    const row = this.store.tokens.get(id);
    if (!row || row.used) return false;
    this.store.tokens.put(id, { ...row, used: true });
    return true;
  }

  delete(id: string): void {
    this.store.tokens.delete(id);
  }

  /** @param kinds to delete, including consumed tokens */
  deleteByGrant(grantId: string, kinds: readonly TokenRow['kind'][]): void {
    for (const [id, row] of this.store.tokens.listMatching('grantId', grantId)) if (kinds.includes(row.kind)) this.delete(id);
  }

  deleteByClient(clientId: string, kinds: readonly TokenRow['kind'][]): void {
    for (const [id, row] of this.store.tokens.listMatching('clientId', clientId)) if (kinds.includes(row.kind)) this.delete(id);
  }
}

function createPart(): string {
  return randomBytes(32).toString('base64url');
}

function toId(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
