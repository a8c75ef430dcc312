/**
 * The oldest browsers of `docs/browsers.md`: what of CSS is younger than they, a stylesheet as they read it, and a page as
 * they show it. Short lists by hand, of what a stylesheet like ours may be tempted by.
 */
import postcss, { type AtRule, type ChildNode, type Declaration, type Rule } from 'postcss';
import type { Page } from 'playwright-core';

interface Feature {
  name: string;
  finds: RegExp;
  /** Whoever skips it loses nothing that matters. */
  isHarmless?: boolean;
}

/** Found in `property:value`. */
const DECLARATIONS: readonly Feature[] = [
  { name: 'light-dark()', finds: /light-dark\(/ },
  { name: 'color-mix()', finds: /color-mix\(/ },
  { name: 'colours of CSS Color 4 and 5', finds: /\b(?:ok)?(?:lab|lch)\(|\bcolor\(|\(from / },
  { name: 'min(), max(), clamp()', finds: /\b(?:min|max|clamp)\(/ },
  { name: 'units of containers', finds: /\dcq[a-z]+\b/ },
  { name: 'small, large and dynamic units of the viewport', finds: /\d[dls]v[a-z]+\b/ },
  { name: 'inset', finds: /^inset[:-]/ },
  { name: 'logical shorthands', finds: /^(?:margin|padding|border)-(?:block|inline)(?:-(?:color|style|width))?:/ },
  { name: 'logical radii', finds: /^border-(?:start|end)-(?:start|end)-radius:/ },
  { name: 'translate, rotate, scale', finds: /^(?:translate|rotate|scale):/ },
  { name: 'overflow: clip', finds: /^overflow[^:]*:.*\bclip\b/ },
  { name: 'overflow-wrap: anywhere', finds: /^overflow-wrap:anywhere/ },
  { name: 'fit-content', finds: /^[a-z-]*(?:size|width|height):.*fit-content/ },
  { name: 'start and end in flex', finds: /^(?:align-items|justify-content):(?:start|end)/ },
  { name: 'aspect-ratio', finds: /^aspect-ratio:/ },
  { name: 'revert', finds: /:revert/ },
  { name: 'appearance without prefix', finds: /^appearance:/ },
  { name: 'mask without prefix', finds: /^mask(?:-[a-z]+)?:/ },
  { name: 'hyphens without prefix', finds: /^hyphens:/ },
  { name: 'backdrop-filter', finds: /^backdrop-filter:/ },
  { name: 'containers', finds: /^container(?:-[a-z]+)?:/ },
  { name: 'refinements of text', finds: /^text-(?:wrap|underline-offset|decoration-thickness)|^hyphenate-/, isHarmless: true },
  { name: 'colours of controls', finds: /^(?:accent-color|color-scheme|forced-color-adjust):/, isHarmless: true },
];

/** Found in one selector of a rule; browsers skip the whole rule. */
const SELECTORS: readonly Feature[] = [
  // It only takes away the outline that a press with the mouse does not need.
  { name: ':focus:not(:focus-visible)', finds: /:focus:not\(:focus-visible\)/, isHarmless: true },
  { name: ':is(), :where(), :has()', finds: /:(?:is|where|has)\(/ },
  { name: ':focus-visible', finds: /:focus-visible/ },
  { name: ':not() with a list', finds: /:not\([^)]*[ ,>+~]/ },
  { name: 'nesting', finds: /&/ },
  // Its twin with a prefix stands before it.
  { name: ':autofill', finds: /[^-]:autofill/, isHarmless: true },
  { name: ':user-valid, :user-invalid, :dir()', finds: /:(?:user-(?:in)?valid|dir\()/ },
  { name: '::view-transition', finds: /::view-transition/, isHarmless: true },
  { name: '::details-content', finds: /::details-content/ },
];

/** Found in `@name parameters`. */
const AT_RULES: readonly Feature[] = [
  { name: '@view-transition', finds: /^@view-transition/, isHarmless: true },
  // `fallbacks.css` has the rest.
  { name: '@media (scripting)', finds: /^@media.*\(scripting/, isHarmless: true },
  { name: '@media (forced-colors)', finds: /^@media.*\(forced-colors/, isHarmless: true },
  { name: '@container', finds: /^@container/ },
  { name: '@layer', finds: /^@layer/ },
  { name: '@property, @scope, @starting-style', finds: /^@(?:property|scope|starting-style)/ },
  { name: 'ranges in @media', finds: /^@media.*[<>=]/ },
];

const findIn = (features: readonly Feature[], text: string) => features.find(({ finds }) => finds.test(text));

function youngerIn(node: ChildNode): Feature | undefined {
  if (node.type === 'decl') return findIn(DECLARATIONS, `${node.prop}:${node.value}`);
  if (node.type === 'rule') return findIn(SELECTORS, node.selector);
  return node.type === 'atrule' ? findIn(AT_RULES, `@${node.name} ${node.params}`) : undefined;
}

/** @returns what is younger, outside of `@supports`, with nothing before it that older browsers can take, as sentences */
export function tooYoung(css: string): string[] {
  const found: string[] = [];
  postcss.parse(css).walk((node) => {
    const feature = youngerIn(node);
    if (!feature || feature.isHarmless || isConditional(node)) return;
    if (node.type === 'decl' && hasFallback(node)) return;
    found.push(`${feature.name}: ${node.toString().slice(0, 120)}`);
  });
  return found;
}

/** A stylesheet as browsers of 2019 read it. Gaps of flex remain: no stylesheet says what is flex. */
export function asReadIn2019(css: string): string {
  const root = postcss.parse(css);
  root.walkAtRules('supports', (rule) => {
    // What is asked about is younger; `not` is the way for what replaces it.
    if (/^not\b/.test(rule.params)) rule.replaceWith(rule.nodes ?? []);
    else rule.remove();
  });
  root.walk((node) => void (youngerIn(node) && node.remove()));
  return root.toString();
}

function isConditional(node: Declaration | Rule | AtRule | ChildNode): boolean {
  for (let around = node.parent; around; around = around.parent as typeof around)
    if (around.type === 'atrule' && (around as AtRule).name === 'supports') return true;
  return false;
}

/** The same property before it, perhaps with a prefix, in a way that older browsers know. */
function hasFallback(declaration: Declaration): boolean {
  for (let before = declaration.prev(); before; before = before.prev())
    if (before.type === 'decl' && before.prop.replace(/^-webkit-/, '') === declaration.prop && !youngerIn(before)) return true;
  return false;
}

/** Selectors of flex boxes that have a gap by the same rule; their fallback is a margin inside `@supports not (inset:0)`. */
export function flexWithoutMargins(css: string): string[] {
  const [boxes, margins]: [string[], string[]] = [[], []];
  postcss.parse(css).walkRules((rule) => {
    const has = (finds: RegExp) => rule.nodes.some((node) => node.type === 'decl' && finds.test(`${node.prop}:${node.value}`));
    const around = rule.parent?.type === 'atrule' ? (rule.parent as AtRule) : null;
    if (around?.name === 'supports' && /^not \(inset/.test(around.params)) margins.push(...rule.selectors);
    else if (has(/^display:.*flex/) && has(/^(?:column-|row-)?gap:/)) boxes.push(...rule.selectors);
  });
  return boxes.filter((box) => !margins.some((margin) => margin.startsWith(box)));
}

/** From now on the pages are shown as in a browser of 2019 that does not run their script. */
export async function likeIn2019(page: Page): Promise<void> {
  await page.route(/\.js$/, (route) => route.abort());
  await stylesOf2019(page);
}

/** From now on the pages have their script, as in browsers of 2020 and later, and the styles of 2019. */
export async function stylesOf2019(page: Page): Promise<void> {
  await page.route(/\.css$/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: asReadIn2019(await answer.text()) });
  });
}

/** To be called on each page. An expression, because the content policy forbids `eval` of a function. */
export async function withoutFlexGaps(page: Page): Promise<void> {
  await page.evaluate(`for (const element of document.querySelectorAll('body *'))
    if (getComputedStyle(element).display.includes('flex')) element.style.setProperty('gap', '0px', 'important')`);
}
