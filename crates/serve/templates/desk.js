"use strict";
// Keys: an element names its key in `data-key`. A link or button is clicked, a field gets the focus. Elements of the focused
// article take precedence; j and k go to the next article and back.
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, select, textarea");
  if (event.key === "Escape" && typing) typing.blur();
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const here = document.activeElement.closest("article[tabindex]");
  if (event.key === "j" || event.key === "k") {
    const all = [...document.querySelectorAll("article[tabindex]")];
    const at = all.indexOf(here) + (event.key === "j" ? 1 : -1);
    const next = all[Math.min(Math.max(at, 0), all.length - 1)];
    if (next) next.focus();
    return;
  }
  const of = (part) => (part ? [...part.querySelectorAll("[data-key]")] : []);
  const wanted = [...of(here), ...of(document)].find((one) => one.dataset.key === event.key);
  if (!wanted) return;
  event.preventDefault();
  if (wanted.matches("input")) wanted.focus();
  else wanted.click();
});
// Appends the lines of a job as they arrive. When it ends, the page is reloaded and shows the result.
const lines = document.querySelector("[data-events]");
if (lines) {
  const events = new EventSource(lines.dataset.events);
  events.onmessage = (event) => {
    lines.append(event.data + "\n");
    lines.scrollTop = lines.scrollHeight;
  };
  events.addEventListener("progress", (event) => {
    const now = JSON.parse(event.data);
    if (!now) return;
    const bar = document.getElementById("progress");
    bar.max = now.all;
    bar.value = now.done;
    document.getElementById("far").textContent = now.text;
  });
  events.addEventListener("end", () => {
    events.close();
    location.reload();
  });
}
