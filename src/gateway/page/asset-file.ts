/** A file that browsers load, with its compressed forms. */
export interface AssetFile {
  /** For the header Content-Type. */
  type: string;
  bodies: Partial<Record<'br' | 'gzip' | 'identity', Buffer>> & { identity: Buffer };
}
