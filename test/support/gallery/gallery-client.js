/** Shows the chosen state in the frame; the address keeps all choices, so that it can be sent to somebody. */
const one = (selector) => document.querySelector(selector);
const links = [...document.querySelectorAll('a[data-name]')];
const form = one('form');
const frame = one('iframe');
const search = one('[name=search]');
const CHOICES = ['locale', 'theme', 'look', 'width', 'script'];

const chosen = () => Object.fromEntries(CHOICES.map((name) => [name, form.elements[name].value]));
const current = () => links.find(({ dataset }) => dataset.name === location.hash.slice(1).split('?')[0]) ?? links[0];

/** A page with script stands at its own path, which the script compares with the state. */
function buildAddress({ dataset: { name, path } }, { locale, look, script }) {
  return script === 'on' && path !== ''
    ? `${path}?gallery=${name}&locale=${locale}&look=${look}`
    : `/gallery/${locale}/${look}/${name}.html`;
}

/** @returns when the frame shows it in the theme */
async function load(target, link, choices) {
  const { theme, width } = choices;
  target.style.width = `${width}px`;
  const loaded = new Promise((resolve) => target.addEventListener('load', resolve, { once: true }));
  target.src = buildAddress(link, choices);
  await loaded;
  const { contentDocument: page, contentWindow } = target;
  if (theme === 'system') return;
  const media = theme === 'dark' ? 'all' : 'not all';
  if (link.dataset.path === '') inTheme(page, media);
  else page.documentElement.dataset.theme = theme;
  for (const source of page.querySelectorAll('picture source')) source.media = media;
  for (const change of page.getAnimations()) if (change instanceof contentWindow.CSSTransition) change.finish();
}

/** A mail follows the system alone. */
function inTheme(page, media) {
  const rules = [...page.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
  for (const rule of rules) if (rule.media?.mediaText.includes('prefers-color-scheme')) rule.media.mediaText = media;
}

async function showText(link, { locale, look }) {
  const text = one('.text');
  text.hidden = link.dataset.path !== '';
  if (!text.hidden) text.textContent = await (await fetch(`/gallery/${locale}/${look}/${link.dataset.name}.txt`)).text();
}

async function show() {
  const link = current();
  const choices = chosen();
  delete document.body.dataset.shown;
  for (const each of links) each.setAttribute('aria-current', String(each === link));
  link.scrollIntoView({ block: 'nearest' });
  one('.violations').textContent = '';
  // Where the static files are served, there is no page with script.
  if (choices.script === 'on' && !(await fetch(buildAddress(link, choices), { method: 'HEAD' })).ok) {
    form.elements.script.value = 'off';
    return show();
  }
  await load(frame, link, choices);
  await showText(link, choices);
  document.body.dataset.shown = link.dataset.name;
}

/** In a frame of its own, so that what is looked at stays as it is. @returns the violations that axe finds */
async function check(link) {
  const target = Object.assign(document.createElement('iframe'), { className: 'hidden', title: 'Check' });
  document.body.append(target);
  try {
    await load(target, link, chosen());
    const page = target.contentDocument;
    const script = Object.assign(page.createElement('script'), { src: '/gallery/axe.js' });
    const ready = new Promise((resolve) => (script.onload = resolve));
    page.head.append(script);
    await ready;
    const { violations } = await target.contentWindow.axe.run(page, { resultTypes: ['violations'] });
    const badge = link.nextElementSibling;
    badge.textContent = violations.length === 0 ? '✓ 0' : `✗ ${violations.length}`;
    badge.classList.toggle('bad', violations.length > 0);
    return violations;
  } finally {
    target.remove();
  }
}

async function tell(link) {
  const said = (await check(link)).map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' | ')}`);
  one('.violations').textContent = said.length === 0 ? 'axe finds nothing.' : said.join('\n');
}

async function checkAll() {
  for (const link of links.filter((each) => !each.parentElement.hidden)) await check(link);
}

function filter() {
  const words = search.value.toLowerCase().split(/\s+/);
  for (const link of links) link.parentElement.hidden = !words.every((word) => link.dataset.name.includes(word));
  one('nav [role=status]').textContent = `${links.filter((each) => !each.parentElement.hidden).length} of ${links.length}`;
}

function keep() {
  location.hash = `${current().dataset.name}?${new URLSearchParams(chosen())}`;
}

const kept = new URLSearchParams(location.hash.split('?')[1]);
for (const name of CHOICES) if (kept.has(name)) form.elements[name].value = kept.get(name);
for (const link of links) {
  link.addEventListener('click', (event) => {
    event.preventDefault();
    location.hash = `${link.dataset.name}?${new URLSearchParams(chosen())}`;
  });
}
addEventListener('hashchange', show);
form.addEventListener('change', keep);
search.addEventListener('input', filter);
one('[name=check]').addEventListener('click', () => tell(current()));
one('[name="check-all"]').addEventListener('click', checkAll);
filter();
await show();
