/*
 * Polls in the interval that the page names, and reloads the page only when the sign-in has got on. Without script the page
 * reloads itself in the same interval.
 */
const shown = document.querySelector('[data-interval-seconds]');

function wait(seconds) {
  setTimeout(look, seconds * 1000);
}

async function look() {
  const next = await fetchShown().catch(() => shown);
  if (next?.dataset.userCode !== shown.dataset.userCode) {
    location.reload();
    return;
  }
  const [before, now] = [shown, next].map((screen) => screen.querySelector('[role=status]'));
  if (before.textContent !== now.textContent) before.textContent = now.textContent;
  wait(next.dataset.intervalSeconds);
}

/** @returns null if the page no longer waits; the current element if the state could not be read */
async function fetchShown() {
  const answer = await fetch(location.pathname);
  if (!answer.ok) return shown;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  return page.querySelector('[data-interval-seconds]');
}

if (shown) wait(shown.dataset.intervalSeconds);
