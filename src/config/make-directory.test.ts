import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { makeDirectory } from './make-directory.js';

it('two processes can create the same directory and its parents at once', async () => {
  const root = mkdtempSync(join(tmpdir(), 'foyer-directory-'));
  try {
    const path = join(root, 'one', 'two', 'three');
    await Promise.all([makeDirectory(path), makeDirectory(path), makeDirectory(path)]);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  } finally {
    rmSync(root, { recursive: true });
  }
});
