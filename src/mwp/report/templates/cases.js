// The case browser: a list of problems that can be searched and filtered, and one of them with its hypotheses.
(() => {
  const book = JSON.parse(document.getElementById("case-data").textContent);
  const titles = Object.fromEntries(book.systems.map((system) => [system.name, system.title]));
  const find = (id) => document.getElementById(id);
  const list = find("case-list"), article = find("case"), form = find("case-filters"), status = find("case-status");
  let shown = [], current = null;

  const element = (name, { text, ...attributes } = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    made.append(...children);
    return made;
  };

  // --- right, sound, spurious ---

  const hypothesis = ([solution, logProb, value, qualification, right, sound, group, verified]) => (
    { solution, logProb, value, qualification, right, sound, group, verified }
  );
  const hypothesesOf = (problem, system) => (problem.hypotheses[system] ?? []).map(hypothesis);
  const outcome = ({ right, sound }) => {
    if (sound === null) return right ? "right" : "wrong";
    if (sound && right) return "sound";
    return right ? "spurious" : sound ? "sound, other answer" : "wrong";
  };
  const LABELS = {
    sound: ["✓", "right, sound"], right: ["✓", "right"], spurious: ["!", "right, spurious"], wrong: ["✗", "wrong"],
    "sound, other answer": ["✓", "sound, but not the answer given"],
  };
  const label = (one) => {
    const [sign, words] = LABELS[outcome(one)];
    return element("span", { class: `mark ${outcome(one).split(",")[0]}` }, element("b", { text: sign, "aria-hidden": "true" }), ` ${words}`);
  };

  // --- the list ---

  const passes = (problem, filters) => {
    const wanted = filters.system ? [filters.system] : Object.keys(problem.hypotheses);
    const first = (test) => wanted.some((system) => system in problem.hypotheses && test(hypothesesOf(problem, system)[0]));
    const words = filters.words.toLowerCase().split(/\s+/).filter(Boolean);
    const text = problem.text.toLowerCase();
    return (
      (!filters.dataset || problem.dataset === filters.dataset) &&
      (!filters.operators || String(problem.operators ?? "unknown") === filters.operators) &&
      (!filters.system || filters.system in problem.hypotheses) &&
      (filters.answer !== "right" || first((one) => one?.right)) &&
      (filters.answer !== "wrong" || first((one) => !one?.right)) &&
      (filters.soundness !== "sound" || first((one) => one?.sound)) &&
      (filters.soundness !== "spurious" || first((one) => one && outcome(one) === "spurious")) &&
      words.every((word) => problem.id.toLowerCase() === word || text.includes(word))
    );
  };

  const option = (problem, index) => {
    const systems = Object.keys(problem.hypotheses);
    const right = systems.filter((system) => hypothesesOf(problem, system)[0]?.right).length;
    const made = element(
      "li", { role: "option", id: `case-${index}`, "aria-selected": "false" },
      element("span", { class: "name", text: problem.id }), element("span", { class: "words", text: problem.text }),
      element("span", { class: "score", text: `${right} of ${systems.length} right` }),
    );
    made.addEventListener("click", () => { select(problem); list.focus(); });
    return made;
  };

  const refresh = () => {
    const filters = Object.fromEntries(new FormData(form));
    shown = book.cases.filter((problem) => passes(problem, filters));
    list.replaceChildren(...shown.map(option));
    status.textContent = shown.length
      ? `${shown.length.toLocaleString("en")} of ${book.cases.length.toLocaleString("en")} problems`
      : "No problem matches; loosen a filter.";
    select(shown.includes(current) ? current : shown[0] ?? null);
  };

  const select = (problem) => {
    current = problem;
    const index = shown.indexOf(problem);
    list.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
    list.removeAttribute("aria-activedescendant");
    const chosen = list.children[index];
    if (chosen) {
      chosen.setAttribute("aria-selected", "true");
      list.setAttribute("aria-activedescendant", chosen.id);
      // Only the list itself may scroll, never the page.
      const [box, inside] = [list.getBoundingClientRect(), chosen.getBoundingClientRect()];
      const above = inside.top - box.top, below = inside.bottom - box.bottom;
      if (above < 0) list.scrollTop += above;
      else if (below > 0) list.scrollTop += below;
    }
    show(problem);
  };

  const step = (by) => {
    const index = shown.indexOf(current);
    if (shown.length) select(shown[Math.min(Math.max(index + by, 0), shown.length - 1)]);
  };

  // --- one case ---

  const show = (problem) => {
    article.replaceChildren();
    if (!problem) return;
    const letters = Array.from(problem.text); // spans count characters, not UTF-16 units
    const spellings = problem.numbers.map(([start, end]) => letters.slice(start, end).join(""));
    const spelling = (token) => (/^N\d+$/.test(token) ? (spellings[token.slice(1)] ?? "").slice(0, 12) : "");
    const chosen = new FormData(form).get("system");
    const systems = Object.keys(problem.hypotheses).filter((system) => !chosen || system === chosen);
    article.append(
      heading(problem), statement(problem, letters), truth(problem, spelling),
      ...systems.map((system) => answers(system, hypothesesOf(problem, system), spelling)),
    );
  };

  const heading = (problem) => {
    const index = shown.indexOf(problem);
    const button = (text, label, by, end) => {
      const made = element("button", { type: "button", text, "aria-label": label });
      made.disabled = index === end;
      made.addEventListener("click", () => { step(by); article.querySelector(`[aria-label="${label}"]`)?.focus(); });
      return made;
    };
    return element(
      "header", {}, element("h3", { text: `Problem ${problem.id}` }),
      element("a", { href: `#case/${problem.dataset}/${encodeURIComponent(problem.id)}`, text: book.datasets[problem.dataset], title: "Address of this case" }),
      element("span", { class: "steps" }, button("←", "Previous problem", -1, 0), button("→", "Next problem", 1, shown.length - 1)),
    );
  };

  const statement = (problem, letters) => {
    const text = element("p", { class: "statement", lang: "zh" });
    let end = 0;
    problem.numbers.forEach(([start, stop], index) => {
      text.append(letters.slice(end, start).join(""));
      text.append(element("mark", {}, letters.slice(start, stop).join(""), element("sub", { text: `N${index}` })));
      end = stop;
    });
    text.append(letters.slice(end).join(""));
    return text;
  };

  const truth = (problem, spelling) => {
    const box = element("div", { class: "truth" }, element("p", {}, "Answer ", element("b", { text: problem.answer })));
    if (!problem.gold.length) box.append(element("p", { class: "quiet", text: "No ground truth: soundness is not known." }));
    else {
      const several = problem.gold.length > 1 ? ` (first of ${problem.gold.length} readings)` : "";
      box.append(element("p", { class: "quiet", text: `Ground truth${several}: ${formula(problem.gold[0])}` }));
      box.append(element("div", { class: "scroll" }, drawTree(problem.gold[0], spelling)));
    }
    return box;
  };

  const formula = (solution) => infix(readPrefix(solution), (token) => token);

  const answers = (system, hypotheses, spelling) => {
    const cards = element("ol", { class: "hypotheses scroll", tabindex: "0", "aria-label": `Hypotheses of ${titles[system]}` });
    const groups = {};
    hypotheses.forEach((one) => (groups[one.group] ??= []).push(one));
    cards.append(...hypotheses.map((one, rank) => card(one, rank + 1, groups[one.group], spelling)));
    return element(
      "section", { class: "system" }, element("h4", { text: titles[system] }),
      hypotheses.length ? cards : element("p", { class: "quiet", text: "No hypothesis." }),
    );
  };

  const card = (one, rank, equals, spelling) => {
    const facts = [
      ["value", readable(one.value)], ["log-prob", one.logProb.toFixed(2)], ["probability", percent(Math.exp(one.logProb))],
      ["verified", one.verified === null ? "none" : percent(one.verified)],
      ["discriminator", one.qualification === null ? "none" : one.qualification.toFixed(2)],
    ];
    if (equals.length > 1) {
      const sum = equals.reduce((total, other) => total + Math.exp(other.logProb), 0);
      facts.push([`${equals.length} equal hypotheses`, percent(sum)]);
    }
    return element(
      "li", { class: outcome(one).split(",")[0] }, element("p", { class: "rank" }, `${rank}`, label(one)),
      element("div", { class: "scroll" }, drawTree(one.solution, spelling)),
      element("p", { class: "formula", text: formula(one.solution) }),
      element("dl", {}, ...facts.flatMap(([name, value]) => [element("dt", { text: name }), element("dd", { text: value })])),
    );
  };

  const percent = (share) => (share < 0.0005 ? "< 0.1 %" : `${(100 * share).toFixed(1)} %`);
  const readable = (value) => {
    if (value === null) return "none";
    const [over, under] = value.split("/").map(Number);
    return under && Number.isFinite(over / under) ? `${value} ≈ ${Number((over / under).toPrecision(4))}` : value;
  };

  // --- hands ---

  const KEYS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
  list.addEventListener("keydown", (event) => {
    if (!(event.key in KEYS) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    step(KEYS[event.key]);
  });
  form.elements.words.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") { event.preventDefault(); list.focus(); }
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.elements.words.addEventListener("input", refresh);
  form.addEventListener("change", refresh);
  form.addEventListener("reset", () => setTimeout(refresh));

  const follow = () => {
    const [, dataset, id] = /^#case\/([^/]+)\/(.+)$/.exec(location.hash) ?? [];
    const wanted = id && book.cases.find((problem) => problem.dataset === dataset && problem.id === decodeURIComponent(id));
    if (!wanted) return;
    form.reset();
    current = wanted;
    refresh();
    find("cases").scrollIntoView();
  };
  addEventListener("hashchange", follow);
  refresh();
  follow();
})();
