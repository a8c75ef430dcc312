/*
 * Polls at the interval that the page specifies, and reloads the page only when the state of the sign-in has changed. Without
 * script the page reloads itself in the same interval.
 */
const shown = document.querySelector('[data-interval-seconds]');

function scheduleNextPoll(seconds) {
  setTimeout(poll, seconds * 1000);
}

async function poll() {
  const next = await fetchShown().catch(() => shown);
  if (next?.dataset.userCode !== shown.dataset.userCode) {
    location.reload();
    return;
  }
  const [shownStatus, nextStatus] = [shown, next].map((screen) => screen.querySelector('[role=status]'));
  if (shownStatus.textContent !== nextStatus.textContent) shownStatus.textContent = nextStatus.textContent;
  scheduleNextPoll(next.dataset.intervalSeconds);
}

/** @returns null if the page no longer waits; the current element if the state could not be read */
async function fetchShown() {
  const answer = await fetch(location.pathname);
  if (!answer.ok) return shown;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  return page.querySelector('[data-interval-seconds]');
}

if (shown) scheduleNextPoll(shown.dataset.intervalSeconds);
