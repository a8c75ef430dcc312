/** Shows the chosen state in the frame; the address keeps all choices, so that it can be sent to somebody. */
const findElement = (selector) => document.querySelector(selector);
const links = [...document.querySelectorAll('a[data-name]')];
const form = findElement('form');
const frame = findElement('iframe');
const search = findElement('[name=search]');
const CHOICES = ['locale', 'theme', 'look', 'width', 'script'];

const readChoices = () => Object.fromEntries(CHOICES.map((name) => [name, form.elements[name].value]));
const findCurrentLink = () => links.find(({ dataset }) => dataset.name === location.hash.slice(1).split('?')[0]) ?? links[0];

/** A page with script has its own path, which the script compares with the state. */
function buildAddress({ dataset: { name, path } }, { locale, look, script }) {
  return script === 'on' && path !== ''
    ? `${path}?gallery=${name}&locale=${locale}&look=${look}`
    : `/gallery/${locale}/${look}/${name}.html`;
}

/** Resolves when the frame shows the state in the theme. */
async function load(target, link, choices) {
  const { theme, width } = choices;
  target.style.width = `${width}px`;
  const loaded = new Promise((resolve) => target.addEventListener('load', resolve, { once: true }));
  target.src = buildAddress(link, choices);
  await loaded;
  const { contentDocument: page, contentWindow } = target;
  if (theme === 'system') return;
  const media = theme === 'dark' ? 'all' : 'not all';
  if (link.dataset.path === '') applyTheme(page, media);
  else page.documentElement.dataset.theme = theme;
  for (const source of page.querySelectorAll('picture source')) source.media = media;
  for (const change of page.getAnimations()) if (change instanceof contentWindow.CSSTransition) change.finish();
}

/** A mail always follows the colour scheme of the system, so its media queries are changed. */
function applyTheme(page, media) {
  const rules = [...page.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
  for (const rule of rules) if (rule.media?.mediaText.includes('prefers-color-scheme')) rule.media.mediaText = media;
}

async function showText(link, { locale, look }) {
  const text = findElement('.text');
  text.hidden = link.dataset.path !== '';
  if (!text.hidden) text.textContent = await (await fetch(`/gallery/${locale}/${look}/${link.dataset.name}.txt`)).text();
}

async function show() {
  const link = findCurrentLink();
  const choices = readChoices();
  delete document.body.dataset.shown;
  for (const each of links) each.setAttribute('aria-current', String(each === link));
  link.scrollIntoView({ block: 'nearest' });
  findElement('.violations').textContent = '';
  // The static files contain no page with script.
  if (choices.script === 'on' && !(await fetch(buildAddress(link, choices), { method: 'HEAD' })).ok) {
    form.elements.script.value = 'off';
    return show();
  }
  await load(frame, link, choices);
  await showText(link, choices);
  document.body.dataset.shown = link.dataset.name;
}

/** Checks the state in another frame, so that the shown frame does not change. @returns the violations that axe finds */
async function check(link) {
  const target = Object.assign(document.createElement('iframe'), { className: 'hidden', title: 'Check' });
  document.body.append(target);
  try {
    await load(target, link, readChoices());
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

async function showViolations(link) {
  const violations = (await check(link)).map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' | ')}`,
  );
  findElement('.violations').textContent = violations.length === 0 ? 'axe found no violations.' : violations.join('\n');
}

async function checkAll() {
  for (const link of links.filter((each) => !each.parentElement.hidden)) await check(link);
}

function filter() {
  const words = search.value.toLowerCase().split(/\s+/);
  for (const link of links) link.parentElement.hidden = !words.every((word) => link.dataset.name.includes(word));
  findElement('nav [role=status]').textContent =
    `${links.filter((each) => !each.parentElement.hidden).length} of ${links.length}`;
}

function storeChoices() {
  location.hash = `${findCurrentLink().dataset.name}?${new URLSearchParams(readChoices())}`;
}

const stored = new URLSearchParams(location.hash.split('?')[1]);
for (const name of CHOICES) if (stored.has(name)) form.elements[name].value = stored.get(name);
for (const link of links) {
  link.addEventListener('click', (event) => {
    event.preventDefault();
    location.hash = `${link.dataset.name}?${new URLSearchParams(readChoices())}`;
  });
}
addEventListener('hashchange', show);
form.addEventListener('change', storeChoices);
search.addEventListener('input', filter);
findElement('[name=check]').addEventListener('click', () => showViolations(findCurrentLink()));
findElement('[name="check-all"]').addEventListener('click', checkAll);
filter();
await show();
