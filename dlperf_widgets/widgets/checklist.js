// Rules that fail, each with what it costs and a button that mends it; rules that pass, folded away.

function node(tag, className, text, parent) {
  const made = document.createElement(tag);
  made.className = className;
  if (text) made.textContent = text;
  parent?.append(made);
  return made;
}

function source(item, parent) {
  if (!item.source) return;
  const where = /^https?:/.test(item.address) ? "a" : "span";
  const made = node(where, "dlp-check-source", item.source, parent);
  if (where === "a") Object.assign(made, { href: item.address, target: "_blank", rel: "noopener" });
}

function finding(item, index, model) {
  const row = node("li", item.passed ? "dlp-check dlp-check-passed" : "dlp-check");
  node("span", "dlp-check-mark", item.passed ? "✓" : "⚠", row).ariaHidden = "true";
  const body = node(item.passed ? "details" : "div", "dlp-check-body", "", row);
  node(item.passed ? "summary" : "b", "", item.title, body);
  if (item.cost) node("span", "dlp-check-cost", item.cost, body);
  node("div", "", item.sentence, body);
  if (item.apply) {
    const button = node("button", "dlp-button", item.apply, body);
    button.type = "button";
    button.addEventListener("click", () => model.send({ applied: index }));
  }
  source(item, body);
  return row;
}

export default {
  initialize: listening,
  render({ model, el }) {
    const box = node("details", "dlp-checklist", "", el);
    box.open = true;
    const heading = node("summary", "", "", box);
    const list = node("ul", "", "", box);
    list.setAttribute("aria-live", "polite");
    const show = () => {
      heading.textContent = model.get("title") + model.get("summary");
      list.replaceChildren(...model.get("items").map((item, index) => finding(item, index, model)));
    };
    model.on("change:items change:summary", show);
    show();
    return () => model.off("change:items change:summary", show);
  },
};
