/**
 * The oldest browsers of `docs/browsers.md`: the parts of CSS that they do not support, a stylesheet as they read it, and a page as
 * they show it. The lists are written by hand, and contain only what our stylesheets may use.
 */
import postcss, { type AtRule, type ChildNode, type Declaration, type Rule } from 'postcss';
import type { Page } from 'playwright-core';

interface Feature {
  name: string;
  finds: RegExp;
  /** Whether a browser that ignores the feature shows the same page, apart from details. */
  isHarmless?: boolean;
}

/** Features in `property:value`. */
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

/** Features in one selector of a rule; browsers ignore the whole rule. */
const SELECTORS: readonly Feature[] = [
  // This selector only removes an outline that a click with the mouse does not need.
  { name: ':focus:not(:focus-visible)', finds: /:focus:not\(:focus-visible\)/, isHarmless: true },
  { name: ':is(), :where(), :has()', finds: /:(?:is|where|has)\(/ },
  { name: ':focus-visible', finds: /:focus-visible/ },
  { name: ':not() with a list', finds: /:not\([^)]*[ ,>+~]/ },
  { name: 'nesting', finds: /&/ },
  // The same selector with a prefix is written before it.
  { name: ':autofill', finds: /[^-]:autofill/, isHarmless: true },
  { name: ':user-valid, :user-invalid, :dir()', finds: /:(?:user-(?:in)?valid|dir\()/ },
  { name: '::view-transition', finds: /::view-transition/, isHarmless: true },
  { name: '::details-content', finds: /::details-content/ },
];

/** Features in `@name parameters`. */
const AT_RULES: readonly Feature[] = [
  { name: '@view-transition', finds: /^@view-transition/, isHarmless: true },
  // `fallbacks.css` covers the rest.
  { name: '@media (scripting)', finds: /^@media.*\(scripting/, isHarmless: true },
  { name: '@media (forced-colors)', finds: /^@media.*\(forced-colors/, isHarmless: true },
  { name: '@container', finds: /^@container/ },
  { name: '@layer', finds: /^@layer/ },
  { name: '@property, @scope, @starting-style', finds: /^@(?:property|scope|starting-style)/ },
  { name: 'ranges in @media', finds: /^@media.*[<>=]/ },
];

const findIn = (features: readonly Feature[], text: string) => features.find(({ finds }) => finds.test(text));

function findNewFeature(node: ChildNode): Feature | undefined {
  if (node.type === 'decl') return findIn(DECLARATIONS, `${node.prop}:${node.value}`);
  if (node.type === 'rule') return findIn(SELECTORS, node.selector);
  return node.type === 'atrule' ? findIn(AT_RULES, `@${node.name} ${node.params}`) : undefined;
}

/** @returns declarations and rules that are too new, are outside of `@supports` and have no fallback before them */
export function findNewFeatures(css: string): string[] {
  const found: string[] = [];
  postcss.parse(css).walk((node) => {
    const feature = findNewFeature(node);
    if (!feature || feature.isHarmless || isConditional(node)) return;
    if (node.type === 'decl' && hasFallback(node)) return;
    found.push(`${feature.name}: ${node.toString().slice(0, 120)}`);
  });
  return found;
}

/** Transforms a stylesheet to what browsers of 2019 read. Gaps of flex boxes remain, because no stylesheet shows which boxes are flex boxes. */
export function transformTo2019(css: string): string {
  const root = postcss.parse(css);
  root.walkAtRules('supports', (rule) => {
    // The tested features are newer than 2019; rules with `not` contain the fallbacks.
    if (/^not\b/.test(rule.params)) rule.replaceWith(rule.nodes ?? []);
    else rule.remove();
  });
  root.walk((node) => void (findNewFeature(node) && node.remove()));
  return root.toString();
}

function isConditional(node: Declaration | Rule | AtRule | ChildNode): boolean {
  for (let around = node.parent; around; around = around.parent as typeof around)
    if (around.type === 'atrule' && (around as AtRule).name === 'supports') return true;
  return false;
}

/** Whether the same property is set before it, perhaps with a prefix, with a value that older browsers support. */
function hasFallback(declaration: Declaration): boolean {
  for (let before = declaration.prev(); before; before = before.prev())
    if (before.type === 'decl' && before.prop.replace(/^-webkit-/, '') === declaration.prop && !findNewFeature(before))
      return true;
  return false;
}

/** Selectors of flex boxes with a gap but without the fallback, which is a margin inside `@supports not (inset:0)`. */
export function findFlexWithoutMargins(css: string): string[] {
  const [boxes, margins]: [string[], string[]] = [[], []];
  postcss.parse(css).walkRules((rule) => {
    const has = (finds: RegExp) => rule.nodes.some((node) => node.type === 'decl' && finds.test(`${node.prop}:${node.value}`));
    const around = rule.parent?.type === 'atrule' ? (rule.parent as AtRule) : null;
    if (around?.name === 'supports' && /^not \(inset/.test(around.params)) margins.push(...rule.selectors);
    else if (has(/^display:.*flex/) && has(/^(?:column-|row-)?gap:/)) boxes.push(...rule.selectors);
  });
  return boxes.filter((box) => !margins.some((margin) => margin.startsWith(box)));
}

/** Shows the following pages as in a browser of 2019, which does not run their script. */
export async function emulate2019(page: Page): Promise<void> {
  await page.route(/\.js$/, (route) => route.abort());
  await emulateStylesOf2019(page);
}

/** Shows the following pages with their script, as in browsers of 2020 and later, but with the styles of 2019. */
export async function emulateStylesOf2019(page: Page): Promise<void> {
  await page.route(/\.css$/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: transformTo2019(await answer.text()) });
  });
}

/** Removes the gaps of the current page. Uses an expression, because the content policy forbids `eval` of a function. */
export async function removeFlexGaps(page: Page): Promise<void> {
  await page.evaluate(`for (const element of document.querySelectorAll('body *'))
    if (getComputedStyle(element).display.includes('flex')) element.style.setProperty('gap', '0px', 'important')`);
}
