// What a peer does on a page, the same for each of them: wait until its text stands still, scroll through it a
// screen at a time so that every section mounts, and keep every line of text that was ever shown.
async () => {
  const sleep = (ms) => new Promise((done) => { setTimeout(done, ms); });
  const lines = new Set();
  const text = () => document.body.innerText;
  const still = async (quiet, most) => {
    const end = performance.now() + most;
    let last = text();
    let since = performance.now();
    while (performance.now() < end && performance.now() - since < quiet) {
      await sleep(10);
      const now = text();
      if (now !== last) { last = now; since = performance.now(); }
    }
    for (const line of last.split('\n')) lines.add(line.trim());
  };
  const room = (el) => el.scrollHeight - el.clientHeight;
  await still(400, 20000);
  // an Explore page is there as a whole: nobody scrolls it
  if (!location.pathname.startsWith('/countries/')) return [...lines];
  let scroller = document.scrollingElement;
  for (const el of document.querySelectorAll('*')) {
    if (/(auto|scroll)/.test(getComputedStyle(el).overflowY) && room(el) > room(scroller)) scroller = el;
  }
  for (let top = 0; top < scroller.scrollHeight; top += innerHeight * 0.6) {
    scroller.scrollTo({ top, behavior: 'instant' });
    await still(160, 3000);
  }
  await still(400, 5000);
  return [...lines];
}
