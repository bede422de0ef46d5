"use strict";
// Filters the questions. The filters are the page's fragment, so that an address can be kept and sent: #verdict=fail&text=kenya
(() => {
  const form = document.getElementById("filters");
  const articles = [...document.querySelectorAll("article")];
  const fields = ["category", "difficulty", "type", "remark"];
  const texts = new Map();
  const text = article => {
    if (!texts.has(article)) texts.set(article, article.textContent.toLowerCase());
    return texts.get(article);
  };

  const wanted = () => {
    const state = new URLSearchParams();
    const verdicts = [...form.querySelectorAll("[name=verdict]:checked")].map(box => box.value);
    if (verdicts.length) state.set("verdict", verdicts.join(","));
    for (const name of [...fields, "text"]) {
      const value = form.elements[name].value.trim();
      if (value) state.set(name, value);
    }
    return state;
  };

  const fits = (article, state, words) => {
    const { verdict, remark = "" } = article.dataset;
    if (state.has("verdict") && !state.get("verdict").split(",").includes(verdict)) return false;
    if (state.has("remark") && !remark.split(" ").includes(state.get("remark"))) return false;
    const same = name => name === "remark" || !state.has(name) || article.dataset[name] === state.get(name);
    return fields.every(same) && words.every(word => text(article).includes(word));
  };

  const apply = state => {
    const words = (state.get("text") || "").toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const article of articles) {
      article.hidden = !fits(article, state, words);
      if (!article.hidden) count += 1;
    }
    document.getElementById("shown").textContent = `${count} of ${articles.length} questions`;
    document.getElementById("nothing").hidden = count > 0;
  };

  const changed = () => {
    const state = wanted();
    const fragment = state.toString();
    history.replaceState(null, "", fragment ? `#${fragment}` : location.href.split("#")[0]);
    apply(state);
  };

  const fill = state => {
    const verdicts = (state.get("verdict") || "").split(",");
    for (const box of form.querySelectorAll("[name=verdict]")) box.checked = verdicts.includes(box.value);
    for (const name of [...fields, "text"]) form.elements[name].value = state.get(name) || "";
  };

  // a fragment is a filter, a question that opens, or a place on the page
  const follow = moved => {
    const fragment = location.hash.slice(1);
    if (fragment.includes("=")) {
      fill(new URLSearchParams(fragment));
      apply(wanted());
      if (moved) document.getElementById("questions").scrollIntoView();
      return;
    }
    const article = articles.find(one => fragment && one.id === fragment);
    if (article && article.hidden) fill(new URLSearchParams());
    apply(wanted());
    if (article) {
      const details = article.querySelector("details");
      details.open = true;
      article.scrollIntoView();
      details.querySelector("summary").focus({ preventScroll: true });
    }
  };

  const open = is => {
    for (const article of articles) if (!article.hidden) article.querySelector("details").open = is;
  };

  for (const kind of ["input", "change"]) form.addEventListener(kind, changed);
  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(changed));
  document.getElementById("open").addEventListener("click", () => open(true));
  document.getElementById("close").addEventListener("click", () => open(false));
  document.addEventListener("keydown", event => {
    const search = form.elements.text;
    if (event.key === "/" && !/^(INPUT|SELECT)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "Escape" && document.activeElement === search) {
      search.value = "";
      changed();
    }
  });
  window.addEventListener("hashchange", () => follow(true));
  form.hidden = false;
  follow(location.hash.includes("="));
})();
