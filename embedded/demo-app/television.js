/*
 * Polls at the interval that the page specifies, and reloads the page only when the television no longer waits or has another code.
 * Without script the page reloads itself at the same interval.
 */
const currentScreen = document.querySelector('[data-interval-seconds]');

function scheduleNextPoll(seconds) {
  setTimeout(poll, seconds * 1000);
}

async function poll() {
  const nextScreen = await fetchScreen().catch(() => currentScreen);
  if (nextScreen?.dataset.userCode !== currentScreen.dataset.userCode) {
    location.reload();
    return;
  }
  const [status, nextStatus] = [currentScreen, nextScreen].map((screen) => screen.querySelector('[role=status]'));
  if (status.textContent !== nextStatus.textContent) status.textContent = nextStatus.textContent;
  scheduleNextPoll(nextScreen.dataset.intervalSeconds);
}

/** @returns null if the page no longer waits; the current element for an error status. @throws if there is no answer */
async function fetchScreen() {
  const answer = await fetch(location.pathname);
  if (!answer.ok) return currentScreen;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  return page.querySelector('[data-interval-seconds]');
}

if (currentScreen) scheduleNextPoll(currentScreen.dataset.intervalSeconds);
