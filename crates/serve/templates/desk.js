"use strict";
// Keys: an element says in `data-key` which one uses it. A link or button is clicked, a field is entered.
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, select, textarea");
  if (event.key === "Escape" && typing) typing.blur();
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const wanted = [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === event.key);
  if (!wanted) return;
  event.preventDefault();
  if (wanted.matches("input")) wanted.focus();
  else wanted.click();
});
// The lines of a job as they come; when it ends, the page says how.
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
