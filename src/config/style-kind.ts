/**
 * The kind of a stylesheet of the installation. The content policy of the pages refuses other stylesheets, fonts and pictures
 * over plain http; a stylesheet that asks for them is refused here, because the browser would only leave them out.
 */
import type { Kind, Reading } from './settings-kinds.js';

const LONGEST = 64 * 1024;
const COMMENT = /\/\*[^]*?\*\//g;
/** Whole addresses, with or without quotes, before other texts, so that a bracket in one ends nothing. */
const ADDRESS = /\burl\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'()]*))\s*\)/gi;
const QUOTED = /"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'/g;

export const stylesheet: Kind<string> = {
  label: 'CSS',
  read(value) {
    if (Buffer.byteLength(value) > LONGEST) return { fault: `is longer than ${LONGEST / 1024} KB` };
    return addressFault(value.replace(COMMENT, ' ')) ?? syntaxFault(value) ?? { value };
  },
};

type Fault = Extract<Reading<never>, { fault: string }>;

function addressFault(css: string): Fault | undefined {
  const bare = css.replace(ADDRESS, 'url()').replace(QUOTED, '""');
  if (/@import\b/i.test(bare)) return { fault: 'has @import; the pages load no other stylesheet, so put its content here' };
  if (/@font-face\b/i.test(bare))
    return { fault: 'has @font-face; the content policy of the pages allows no fonts of their own' };
  const addresses = [...css.matchAll(ADDRESS)].map(([, double, single, plain]) => double ?? single ?? plain ?? '');
  const refused = addresses.find((address) => !/^(?:https:\/\/|data:image\/|#)/i.test(address));
  if (refused === undefined) return /\burl\((?!\))/i.test(bare) ? { fault: 'has an address that cannot be read' } : undefined;
  return { fault: `has the address ${JSON.stringify(refused.slice(0, 60))}; pages load pictures by https: or data:image/ only` };
}

/** Every block is closed, and there is at least one: what is no stylesheet at all rarely is like that. */
function syntaxFault(css: string): Fault | undefined {
  const bare = css.replace(COMMENT, ' ').replace(ADDRESS, 'url()').replace(QUOTED, '""');
  let depth = 0;
  for (const brace of bare.match(/[{}]/g) ?? []) {
    depth += brace === '{' ? 1 : -1;
    if (depth < 0) return { fault: 'is no stylesheet: it has a } without a {' };
  }
  if (depth > 0) return { fault: 'is no stylesheet: it has a { without a }' };
  if (bare.includes('/*')) return { fault: 'is no stylesheet: it has a comment without an end' };
  return bare.includes('{') && !/^\s*<|<\//.test(bare) ? undefined : { fault: 'is no stylesheet' };
}
