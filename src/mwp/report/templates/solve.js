// Ask the server, show what it answers.
(() => {
  const find = (id) => document.getElementById(id);
  const make = (name, attributes, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const percent = (share) => (share >= 0.0005 ? `${(100 * share).toFixed(1)}%` : "< 0.1%");

  const showSteps = (steps) => steps.map(({ left, operator, right, result }) =>
    make("li", {}, `${left} ${OPERATORS[operator]} ${right} = ${result ?? "无值 no value"}`));

  const showWorth = ({ probability, verified, qualification, equal }) => {
    const parts = ["概率 Probability: ", make("meter", { value: probability, "aria-hidden": "true" }), ` ${percent(probability)}`];
    if (verified !== null) parts.push(` · 验证 Verified: ${percent(verified)}`);
    if (qualification !== null) parts.push(` · 判别器 Discriminator: ${qualification.toFixed(2)}`);
    if (equal.length) parts.push(` · 等价 Equal: ${equal.join(", ")}`);
    return make("p", { class: "worth" }, ...parts);
  };

  const formula = ({ solution }, spellings) =>
    infix(readPrefix(solution.join(" ")), (token) => spellings[token] ?? token);

  const showEquation = (one, spellings) => make("li", {},
    make("p", { class: "formula" }, `${formula(one, spellings)} = ${one.text ?? "无值 no value"}`),
    make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": `算式树 Tree: ${one.equation}` },
      drawTree(one.solution.join(" "), (token) => spellings[token] ?? "")),
    make("ol", { class: "steps" }, ...showSteps(one.steps)),
    showWorth(one));

  const showAnswer = ({ answer, numbers, answers }) => {
    const spellings = Object.fromEntries(numbers.map(({ name, spelling }) => [name, spelling]));
    find("answer").textContent = answer ?? "无 none";
    find("numbers").textContent = numbers.map(({ name, spelling }) => `${name} = ${spelling}`).join("，");
    find("equations").replaceChildren(...answers.map((one) => showEquation(one, spellings)));
    find("result").hidden = false;
  };

  const showError = (text) => {
    find("message").textContent = `出错 Error: ${text}`;
    find("message").hidden = false;
  };

  const ask = async () => {
    const question = { text: find("text").value, k: Number(find("k").value), raw: find("raw").checked };
    const reply = await fetch("/solve", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question),
    });
    const found = await reply.json();
    if (found.error) throw new Error(found.error);
    return found;
  };

  const solve = async (event) => {
    event.preventDefault();
    find("message").hidden = find("result").hidden = true;
    find("solve").disabled = true;
    try {
      showAnswer(await ask());
    } catch (error) {
      showError(error instanceof TypeError ? "服务器没有回答 the server does not answer" : error.message);
    } finally {
      find("solve").disabled = false;
    }
  };

  find("form").addEventListener("submit", solve);
  find("text").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) find("form").requestSubmit();
  });
})();
