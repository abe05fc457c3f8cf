"use strict";
// Everything works without this file; it adds keys, filters that apply at once, and answers that grow.
(() => {
  const typing = (e) => e.target.closest("input, textarea, select, [contenteditable]") !== null;

  // Keys: "/" to the box, j and k through the hits (Enter follows the focused link), arrows through pages.
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "Escape" && typing(e)) { e.target.blur(); return; }
    if (typing(e)) return;
    if (e.key === "/") {
      const box = document.querySelector("[data-slash]");
      if (box) { e.preventDefault(); box.focus(); box.select(); }
    } else if (e.key === "j" || e.key === "k") {
      const hits = [...document.querySelectorAll("[data-hit]")];
      if (hits.length === 0) return;
      const now = hits.indexOf(document.activeElement);
      const next = now < 0 ? 0 : Math.min(hits.length - 1, Math.max(0, now + (e.key === "j" ? 1 : -1)));
      e.preventDefault();
      hits[next].focus({ focusVisible: true });
      hits[next].scrollIntoView({ block: "nearest" });
    } else if (e.key === "ArrowLeft" || e.key === "ArrowRight") {
      document.querySelector(e.key === "ArrowLeft" ? "[data-previous]" : "[data-next]")?.click();
    }
  });

  for (const select of document.querySelectorAll("select[data-submit]")) {
    select.addEventListener("change", () => select.form.requestSubmit());
  }

  // A judgement is sent without leaving the page.
  document.addEventListener("submit", async (e) => {
    const given = e.target;
    if (!given.matches("[data-feedback]")) return;
    e.preventDefault();
    const body = new URLSearchParams(new FormData(given, e.submitter));
    const response = await fetch(given.action, { method: "POST", body, headers: { Accept: "application/json" } }).catch(() => null);
    if (response?.status === 204) given.textContent = given.dataset.thanks;
    else {
      // Without the button's own value a form sent by script would say nothing.
      const judged = Object.assign(document.createElement("input"), { type: "hidden", name: "judged", value: e.submitter?.value ?? "" });
      given.append(judged);
      HTMLFormElement.prototype.submit.call(given);
    }
  });

  // Enter sends a question, Shift+Enter begins a line.
  const form = document.querySelector("[data-ask]");
  if (!form) return;
  const part = (name) => document.querySelector(`[data-${name}]`);
  const [go, stop, status, draft, draftText, notice, result] =
    ["go", "stop", "status", "draft", "text", "notice", "result"].map(part);
  let running = null;

  form.addEventListener("keydown", (e) => {
    if (e.key === "Enter" && !e.shiftKey && !e.isComposing && e.target.tagName === "TEXTAREA") { e.preventDefault(); form.requestSubmit(); }
  });
  stop.addEventListener("click", () => running?.abort());

  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    running?.abort();
    const mine = running = new AbortController();
    begin();
    try {
      const response = await fetch("/ask/stream", {
        method: "POST",
        body: new URLSearchParams(new FormData(form)),
        headers: { Accept: "application/x-ndjson" },
        signal: mine.signal,
      });
      if (response.status === 401) {
        // The session has ended: sign in, and come back with the question in the form.
        const asked = new FormData(form);
        const back = { q: asked.get("question") ?? "", project: asked.get("project") ?? "" };
        location.assign(`/ask?${new URLSearchParams(back)}`);
        return;
      }
      if (!response.ok) throw new Error(`status ${response.status}`);
      await follow(response.body);
    } catch (error) {
      if (running === mine) status.textContent = mine.signal.aborted ? form.dataset.stopped : form.dataset.failed;
    } finally {
      if (running === mine) { running = null; go.hidden = false; stop.hidden = true; }
    }
  });

  function begin() {
    result.replaceChildren();
    draft.hidden = true;
    draftText.textContent = "";
    status.textContent = form.dataset.working;
    go.hidden = true;
    stop.hidden = false;
  }

  // One JSON object per line: passages, text, done, failed. The server has escaped what is HTML.
  async function follow(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    let finished = false;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        if (line !== "") finished = apply(JSON.parse(line)) || finished;
      }
    }
    if (!finished) throw new Error("the answer was cut off");
  }

  function apply(event) {
    if (event.passages !== undefined) {
      status.textContent = form.dataset.reading;
      result.innerHTML = event.passages;
    } else if (event.text !== undefined) {
      status.textContent = form.dataset.writing;
      notice.textContent = event.notice;
      draft.hidden = false;
      draftText.textContent += event.text;
    } else if (event.done !== undefined) {
      status.textContent = "";
      draft.hidden = true;
      result.innerHTML = event.done;
      // What a follow-up turns to.
      form.elements.before.value = event.asked;
      return true;
    } else if (event.failed !== undefined) {
      draft.hidden = true;
      status.textContent = event.failed;
      return true;
    }
    return false;
  }
})();
