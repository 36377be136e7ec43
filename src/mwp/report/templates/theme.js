// Light or dark: what was chosen here before, else what the system prefers.
(() => {
  const root = document.documentElement;
  const remembered = (value) => {
    try {
      if (value) localStorage.setItem("mwp-theme", value);
      return localStorage.getItem("mwp-theme");
    } catch {
      return null; // a browser may keep no storage for pages from disk
    }
  };
  const preferred = matchMedia("(prefers-color-scheme: dark)");
  const current = () => root.dataset.theme || (preferred.matches ? "dark" : "light");
  const chosen = remembered();
  if (chosen) root.dataset.theme = chosen;
  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const show = () => {
      const other = current() === "dark" ? "light" : "dark";
      button.textContent = other === "dark" ? "Dark" : "Light";
      button.setAttribute("aria-label", `Switch to the ${other} page`);
    };
    button.hidden = false;
    button.addEventListener("click", () => {
      root.dataset.theme = current() === "dark" ? "light" : "dark";
      remembered(root.dataset.theme);
      show();
    });
    preferred.addEventListener("change", show);
    show();
  });
})();
