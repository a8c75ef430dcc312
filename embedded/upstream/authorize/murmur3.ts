/**
 * MurmurHash3 (32 bits, seed 0). Hydra uses it to derive the end of a cookie's name from the client id. It is not a cryptographic hash.
 */
const C1 = 0xcc9e2d51;
const C2 = 0x1b873593;

export function murmur3(text: string): number {
  const bytes = Buffer.from(text);
  const blocks = bytes.length - (bytes.length % 4);
  let hash = 0;
  for (let offset = 0; offset < blocks; offset += 4) {
    hash = rotate(hash ^ scramble(bytes.readUInt32LE(offset)), 13);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  if (blocks < bytes.length) hash ^= scramble(bytes.readUIntLE(blocks, bytes.length - blocks));
  return mix(hash ^ bytes.length);
}

function scramble(block: number): number {
  return Math.imul(rotate(Math.imul(block, C1), 15), C2);
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function mix(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
