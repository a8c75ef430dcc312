/*
 * Makes the frame as high as its mail. The sandbox of the frame allows no script, so it is safe that this page reads the mail.
 * The mail is measured in a frame without height, because some mails grow with their frame.
 */
const MAX_HEIGHT_PX = 20_000;

const frame = document.querySelector('iframe');

function fitFrame() {
  const mail = frame.contentDocument?.documentElement;
  if (!mail || frame.contentDocument.URL === 'about:blank') return;
  frame.style.height = '0';
  const border = frame.offsetHeight - frame.clientHeight;
  frame.style.height = `${Math.min(mail.scrollHeight, MAX_HEIGHT_PX) + border}px`;
}

if (frame) {
  // The frame may have loaded before this script.
  fitFrame();
  frame.addEventListener('load', fitFrame);
  addEventListener('resize', fitFrame);
}
