import { describe, expect, it } from '@jest/globals';
import { AddedStyles } from './added-styles.js';

const readStyles = (styles: AddedStyles, path: string) => styles.find(path)?.bodies.identity.toString();

describe('[LKS-3] the stylesheets of an installation', () => {
  it('are one file with a hash in its address, and end with the styles of the operator', () => {
    const styles = new AddedStyles({ brandRadius: '0', style: '.card{color:red}' });
    expect(styles.listAddresses()).toEqual([expect.stringMatching(/^\/assets\/brand-[\w-]{8}\.css$/)]);
    const [address = ''] = styles.listAddresses();
    expect(readStyles(styles, address)).toBe(':root{--radius:0}.card{color:red}');
    const [otherAddress] = new AddedStyles({ brandRadius: '0', style: '.card{color:blue}' }).listAddresses();
    expect(otherAddress).not.toBe(address);
  });

  it('do not exist without settings', () => expect(new AddedStyles({}).listAddresses()).toEqual([]));
});

describe('[LKS-4] the stylesheet of an app', () => {
  const installation = new AddedStyles({ brandColour: '#1c1f6b', brandColourDark: '#9ea4ff', brandRadius: '2px', style: '.a{}' });

  it('replaces the look of the installation in the same file, before the file of the operator', () => {
    const look = installation.buildLookUrl({ brandColour: '#b3005e' });
    expect(installation.listAddresses(look)).toEqual([look]);
    expect(readStyles(installation, look)).toMatch(/--accent:#b3005e;.*\.a\{\}$/);
    expect(new AddedStyles({ style: '.b{}' }).find(look)).toBeUndefined();
  });

  it('takes the values that the app does not set from the installation, but never mixes the colours of both', () => {
    const css = readStyles(installation, installation.buildLookUrl({ brandColour: '#b3005e' }));
    expect(css).toMatch(/^:root\{--radius:2px\}:root\{--accent:#b3005e;/);
    expect(css).not.toContain('#9ea4ff');
    expect(readStyles(installation, installation.buildLookUrl({ brandRadius: '0' }))).toMatch(
      /--radius:0\}.*--accent:#1c1f6b;.*#9ea4ff/,
    );
  });

  it('is the same file on every gateway, whatever the look of the installation is', () => {
    const path = installation.buildLookUrl({ brandColour: '#b3005e', brandColourDark: '#ff8ac2', brandRadius: '0.75rem' });
    const otherStyles = new AddedStyles({ style: '.a{}' });
    expect(readStyles(otherStyles, path)).toBe(readStyles(installation, path));
    expect(readStyles(otherStyles, path)).toContain('--accent:#ff8ac2');
  });

  it('[S-148] is compressed once for all requests, and only if a page of this gateway has shown it', async () => {
    const compressedStyles: string[] = [];
    const styles = new AddedStyles({ style: '.a{}' }, async (css) => {
      compressedStyles.push(css.toString());
      return { br: Buffer.from('br'), gzip: Buffer.from('gzip') };
    });
    const shownPath = styles.buildLookUrl({ brandColour: '#b3005e' });
    expect(styles.find(shownPath)?.bodies).toEqual({ identity: expect.any(Buffer) });
    for (let request = 0; request < 200; request += 1) styles.find(shownPath);
    await Promise.resolve();
    expect(styles.find(shownPath)?.bodies).toMatchObject({ br: Buffer.from('br'), gzip: Buffer.from('gzip') });
    expect(compressedStyles).toEqual([readStyles(styles, shownPath)]);
    // These addresses come from another gateway, or are invented.
    const otherGateway = new AddedStyles({ style: '.a{}' });
    for (let colour = 100_000; colour < 100_200; colour += 1) {
      const path = otherGateway.buildLookUrl({ brandColour: `#${colour}` });
      expect(readStyles(styles, path)).toBe(readStyles(otherGateway, path));
    }
    expect(compressedStyles).toHaveLength(1);
  });

  it('[S-148] is cached only for the fifty looks that were shown last', () => {
    const compressedStyles: string[] = [];
    const styles = new AddedStyles({}, async (css) => {
      compressedStyles.push(css.toString());
      return {};
    });
    const addresses = Array.from({ length: 200 }, (_, index) => styles.buildLookUrl({ brandColour: `#${100_000 + index}` }));
    const answers = addresses.map((path) => readStyles(styles, path));
    expect(answers.every((css) => css?.includes('--accent:'))).toBe(true);
    expect(compressedStyles).toEqual(answers.slice(-50));
  });

  const PATH = installation.buildLookUrl({ brandColour: '#b3005e' });
  it.each([
    PATH.replace('b3005e', 'b3005f'),
    PATH.replace('b3005e', 'B3005E'),
    PATH.replace('2px', '3px'),
    PATH.replace('2px', '2px;}'),
    PATH.replace('2px', 'red'),
    PATH.replace('_2px_', '_2px}body{display:none}_'),
    PATH.replace('.css', '.html'),
    `${PATH}/`,
    '/assets/looks/',
    '/assets/looks/___________.css',
    '/assets/looks/../client.css',
    '/assets/looks/red;}body{display:none__0_aaaaaaaa.css',
    `/assets/looks/${'a'.repeat(200)}`,
  ])('%s is not the address of a stylesheet', (path) => expect(installation.find(path)).toBeUndefined());
});
