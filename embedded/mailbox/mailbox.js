/*
 * Makes the frame as high as its mail. The mail runs no script: its sandbox allows none, so that this page may look into it.
 * It is measured in a frame without height, so that a mail that grows with its frame does not grow without end.
 */
const LONGEST_PX = 20_000;

const frame = document.querySelector('iframe');

function fit() {
  const mail = frame.contentDocument?.documentElement;
  if (!mail || frame.contentDocument.URL === 'about:blank') return;
  frame.style.height = '0';
  const border = frame.offsetHeight - frame.clientHeight;
  frame.style.height = `${Math.min(mail.scrollHeight, LONGEST_PX) + border}px`;
}

if (frame) {
  // It may have loaded before this script.
  fit();
  frame.addEventListener('load', fit);
  addEventListener('resize', fit);
}
