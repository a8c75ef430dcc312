import { describe, expect, it } from '@jest/globals';
import { COMMANDS } from './commands.js';

describe('the options of the commands', () => {
  // Options are parsed before the command is known.
  it('have the same shape in all commands', () => {
    const shapes = COMMANDS.flatMap(({ options }) =>
      Object.entries(options).map(([name, { value, multiple }]) => [name, value !== undefined, multiple === true] as const),
    );
    const names = new Set(shapes.map(([name]) => name));
    expect(names.size).toBeGreaterThan(30);
    expect(new Set(shapes.map(String)).size).toBe(names.size);
  });
});
