/**
 * The kind of value for the stylesheet of the installation. A stylesheet is refused if it loads other stylesheets, fonts, or images
 * from addresses other than `https:` and `data:image/`, because the content security policy of the pages blocks them without a
 * visible error. A text that is too long, or is not a stylesheet, is also refused.
 */
import type { Kind } from './settings-kinds.js';
import { cutText } from './cut-text.js';

const MAX_BYTES = 64 * 1024;
const COMMENT = /\/\*[^]*?\*\//g;
/** Whole addresses, with or without quotes. They are removed before quoted texts, so that a parenthesis does not end an address. */
const ADDRESS = /\burl\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'()]*))\s*\)/gi;
const QUOTED_TEXT = /"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'/g;

export const stylesheet: Kind<string> = {
  label: 'CSS',
  read(value) {
    if (Buffer.byteLength(value) > MAX_BYTES) return { fault: `is longer than ${MAX_BYTES / 1024} KB` };
    const faults = [...findAddressFaults(value.replace(COMMENT, ' ')), ...findSyntaxFaults(value)];
    return faults.length > 0 ? { fault: faults.join('; ') } : { value };
  },
};

function findAddressFaults(css: string): string[] {
  const bareCss = css.replace(ADDRESS, 'url()').replace(QUOTED_TEXT, '""');
  const addresses = [...css.matchAll(ADDRESS)].map(([, double, single, plain]) => double ?? single ?? plain ?? '');
  const refusedAddress = addresses.find((address) => !/^(?:https:\/\/|data:image\/|#)/i.test(address));
  const quotedAddress = JSON.stringify(cutText(refusedAddress ?? '', 60));
  return [
    ...(/@import\b/i.test(bareCss) ? ['has @import (the pages load no other stylesheet, so put its content here)'] : []),
    ...(/@font-face\b/i.test(bareCss) ? ['has @font-face (the content security policy of the pages allows no web fonts)'] : []),
    ...(refusedAddress === undefined
      ? []
      : [`has the address ${quotedAddress} (pages load images only from https: and data:image/ addresses)`]),
    ...(/\burl\((?!\))/i.test(bareCss) ? ['has an address that cannot be read'] : []),
  ];
}

/** Checks that there is a block and that all blocks are closed, which is rarely true of a file that is not a stylesheet. */
function findSyntaxFaults(css: string): string[] {
  const bareCss = css.replace(COMMENT, ' ').replace(ADDRESS, 'url()').replace(QUOTED_TEXT, '""');
  let depth = 0;
  for (const brace of bareCss.match(/[{}]/g) ?? []) {
    depth += brace === '{' ? 1 : -1;
    if (depth < 0) return ['is not a stylesheet: it has a } without a {'];
  }
  if (depth > 0) return ['is not a stylesheet: it has a { without a }'];
  if (bareCss.includes('/*')) return ['is not a stylesheet: it has a comment without an end'];
  return bareCss.includes('{') && !/^\s*<|<\//.test(bareCss) ? [] : ['is not a stylesheet'];
}
